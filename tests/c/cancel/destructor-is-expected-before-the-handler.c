//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     handlers run before the destructors of keys: glibc gives 12
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t semaphore;
static pthread_key_t key;
static int order;

static void handler(void *unused) {
    order = order * 10 + 1;
    
}

static void forget(void *unused) {
    order = order * 10 + 2;
}

static void *work(void *unused) {
    pthread_setspecific(key, &order);
    pthread_cleanup_push(handler, NULL);
    sem_wait(&semaphore);
    sleep(1);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&semaphore, 0, 0);
    pthread_key_create(&key, forget);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(order == 21);
    return 0;
}
