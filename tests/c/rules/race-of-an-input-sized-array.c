//@ truth:   race=safe
//@ options: --property race
//@ expect:  reference race=unknown
//@ expect:   static race=safe
//@ why:     both threads hold the lock; whether the index is in the array is another question, and the verdict says so
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static int size, *array;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused) {
    pthread_mutex_lock(&lock);
    array[size - 1] = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    size = __VERIFIER_nondet_int();
    array = malloc(size * sizeof *array);
    pthread_create(&thread, 0, fill, 0);
    pthread_mutex_lock(&lock);
    array[0] = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
