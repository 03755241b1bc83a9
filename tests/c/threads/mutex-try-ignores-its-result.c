//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     both threads may go on to change `x`, and unlock what they do not hold
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_mutex_trylock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
