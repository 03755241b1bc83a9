//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a wait that ends for no reason lets the sender write the next message over one that nobody has read, as in a public library of channels
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sent = PTHREAD_COND_INITIALIZER, received = PTHREAD_COND_INITIALIZER;
static int message, is_full;

static void put(int value) {
    pthread_mutex_lock(&lock);
    message = value;
    is_full = 1;
    pthread_cond_signal(&sent);
    pthread_cond_wait(&received, &lock);
    pthread_mutex_unlock(&lock);
}

static void *send(void *unused) {
    put(1);
    put(2);
    return unused;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    pthread_mutex_lock(&lock);
    while (!is_full)
        pthread_cond_wait(&sent, &lock);
    assert(message == 1);
    is_full = 0;
    pthread_cond_signal(&received);
    pthread_mutex_unlock(&lock);
    return 0;
}
