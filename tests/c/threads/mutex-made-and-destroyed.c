//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the mutex lives from `pthread_mutex_init` to `pthread_mutex_destroy`, and may be made anew
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    for (int i = 0; i < 2; i++) {
        assert(pthread_mutex_init(&m, NULL) == 0);
        assert(pthread_mutex_lock(&m) == 0);
        assert(pthread_mutex_unlock(&m) == 0);
        assert(pthread_mutex_destroy(&m) == 0);
    }
    return 0;
}
