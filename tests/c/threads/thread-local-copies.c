//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each thread has its own `mine`
#include <assert.h>
#include <pthread.h>

static __thread int mine = 3;

static void *work(void *unused) {
    mine++;
    assert(mine == 4);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    mine--;
    pthread_join(thread, NULL);
    assert(mine == 2);
    return 0;
}
