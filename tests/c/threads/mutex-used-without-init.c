//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     nobody made the mutex
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_lock(&m);
    return 0;
}
