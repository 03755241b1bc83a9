//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     its holder unlocks it before it ends; the program of gcc ends at once
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, NULL, holder, NULL);
    pthread_join(h, NULL);
    while (pthread_mutex_trylock(&m) != 0) {
    }
    pthread_mutex_unlock(&m);
    return 0;
}
