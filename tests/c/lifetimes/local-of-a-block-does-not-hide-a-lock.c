//@ truth: race=safe
//@ options: --property race
//@ why:   the counter is written under the lock alone; the locals of the loop are the thread's own
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void add(const int *by) {
    pthread_mutex_lock(&lock);
    counter += *by;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        int by = i;
        add(&by);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
