//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `n` protects `x`, not `m` as the predicate says
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
//@ exclusive x when owner(m) == self

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&n);
    x = 2;
    pthread_mutex_unlock(&n);
    pthread_join(thread, NULL);
    return 0;
}
