//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the id was never set; POSIX: joining what is no joinable thread is undefined
#include <pthread.h>

int main(void) {
    pthread_t thread;
    pthread_join(thread, NULL);
    return 0;
}
