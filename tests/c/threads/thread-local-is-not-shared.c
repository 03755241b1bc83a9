//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     what the thread writes to its own `mine` main never sees
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine;

static void *work(void *unused) {
    mine = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(mine == 1);
    return 0;
}
