//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the id is that of a thread that was created and not joined before
#include <pthread.h>

static pthread_t thread;

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
