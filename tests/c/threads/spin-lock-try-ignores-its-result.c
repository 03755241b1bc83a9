//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both may write though only one of them got the lock
#include <pthread.h>

static pthread_spinlock_t l;
static int x;

static void *work(void *unused) {
    pthread_spin_trylock(&l);
    x++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
