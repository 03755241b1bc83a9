//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the flag orders the data; that a key is made and used on the way costs nothing
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static int data, seen;
static atomic_int ready;

static void *run(void *unused) {
    pthread_setspecific(key, &data);
    int *mine = pthread_getspecific(key);
    *mine = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, run, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data;
    pthread_join(thread, NULL);
    pthread_key_delete(key);
    return 0;
}
