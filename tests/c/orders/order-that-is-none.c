//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ why:     nobody says what an order with the number 9 is; compilers take it for the strongest, and Raddle for none that it knows
#include <pthread.h>

static int data, seen;
static int ready;

static int look(int order) {
    return __atomic_load_n(&ready, order);
}

static void *send(void *unused) {
    data = 42;
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (look(9))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
