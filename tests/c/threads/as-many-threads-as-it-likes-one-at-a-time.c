//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --max-threads 3
//@ why:     ten threads run, but never more than one beside main
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 10; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    assert(count == 10);
    return 0;
}
