//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     one access is atomic, the other is not
#include <pthread.h>

static int x;

static void *work(void *unused) {
    __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    x = 1;
    pthread_join(thread, NULL);
    return 0;
}
