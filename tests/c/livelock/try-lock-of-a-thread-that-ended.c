//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     its holder has ended without an unlock, and every attempt gives EBUSY; the program of gcc hangs in every run
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&m);
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
