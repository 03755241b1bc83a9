//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the routine waits for itself to be over
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
    pthread_once(&once, make);
}

int main(void) {
    pthread_once(&once, make);
    return 0;
}
