//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the thread that exits inside of the section keeps the lock, and the other one waits for ever
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void unlock(void *held) {
    pthread_mutex_unlock(held);
}

static void step(void) {
    if (++count == 2)
        pthread_exit(0);
}

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    
    step();
    step();
    unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
