//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the spin lock keeps the two increments apart
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
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    pthread_spin_destroy(&l);
    return 0;
}
