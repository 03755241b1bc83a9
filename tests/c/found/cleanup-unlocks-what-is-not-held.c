//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ expect:  reference deadlock=unknown
//@ why:     a worker that is cancelled between two jobs holds no lock, and its cleanup gives one back, as in a public thread pool
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;

static void give_back(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    pthread_cleanup_push(give_back, 0);
    pthread_mutex_lock(&lock);
    jobs--;
    pthread_mutex_unlock(&lock);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_cancel(worker);
    pthread_join(worker, 0);
    return 0;
}
