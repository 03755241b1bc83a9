//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: the results of `pthread_spin_destroy` are undefined if a thread holds the lock
#include <pthread.h>

static pthread_spinlock_t l;

static void *use(void *unused) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, use, NULL);
    pthread_spin_destroy(&l);
    pthread_join(thread, NULL);
    return 0;
}
