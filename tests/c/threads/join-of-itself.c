//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the thread waits for its own end
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), NULL);
    return 0;
}
