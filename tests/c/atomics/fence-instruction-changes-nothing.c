//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the mutex orders the increments; a fence and a pause add nothing
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    while (pthread_mutex_lock(&m) != 0)
        __asm__ volatile("pause");
    x++;
    __asm__ volatile("mfence" ::: "memory");
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
