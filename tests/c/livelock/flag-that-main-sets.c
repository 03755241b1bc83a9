//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `main` stores to `ready` before it joins; compiled with gcc, the program ends at once
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *reader(void *unused) {
    while (!atomic_load(&ready)) {
    }
    return unused;
}

int main(void) {
    pthread_t r;
    pthread_create(&r, NULL, reader, NULL);
    atomic_store(&ready, 1);
    pthread_join(r, NULL);
    return 0;
}
