//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     nobody stores to `ready`: compiled with gcc -O2, the program is still running after seconds
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
    pthread_join(r, NULL);
    return 0;
}
