//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     what the ends of the queue point to is volatile, the ends themselves are not, as in a public ring buffer
#include <assert.h>
#include <pthread.h>

enum { SLOTS = 3 };

static int slots[SLOTS];
static volatile int *put = slots, *get = slots;

static volatile int *behind(volatile int *slot) { return slot == slots + SLOTS - 1 ? slots : slot + 1; }

static int push(int value) {
    if (behind(put) == get)
        return 0;
    *put = value;
    put = behind(put);
    return 1;
}

static int pop(int *value) {
    if (put == get)
        return 0;
    *value = *get;
    get = behind(get);
    return 1;
}

static void *produce(void *unused) {
    push(1);
    push(2);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    pthread_create(&thread, NULL, produce, NULL);
    if (pop(&value))
        assert(value == 1);
    pthread_join(thread, NULL);
    return 0;
}
