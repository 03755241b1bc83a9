//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main does not take the spin lock
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t l;
static int x;

static void *work(void *unused) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    x++;
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
