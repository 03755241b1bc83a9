//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the name of a thread that was joined means nothing any more
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL);
    return 0;
}
