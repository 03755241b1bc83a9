//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the condition variable was destroyed
#include <pthread.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_destroy(&c);
    pthread_cond_signal(&c);
    return 0;
}
