//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the thread has ended and left the flag set; the program of gcc hangs in every run
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;

static void *holder(void *unused) {
    while (atomic_flag_test_and_set(&taken)) {
    }
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, NULL, holder, NULL);
    pthread_join(h, NULL);
    while (atomic_flag_test_and_set(&taken)) {
    }
    return 0;
}
