//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the two sums are written to the same place without protection, and one is lost
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word;
static unsigned count;

static unsigned ones_of_byte(unsigned v) {
    v = v - (v >> 1 & 0x55);
    v = (v & 0x33) + (v >> 2 & 0x33);
    return (v + (v >> 4)) & 0x0f;
}

static void *work(void *argument) {
    count += ones_of_byte(word >> *(int *)argument & 0xff);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int places[2] = {0, 24};
    word = __VERIFIER_nondet_uint();
    if (word * 65599u != 0x1234567u)
        return 0;
    pthread_create(&one, NULL, work, &places[0]);
    pthread_create(&two, NULL, work, &places[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == ones_of_byte(word & 0xff) + ones_of_byte(word >> 24));
    return 0;
}
