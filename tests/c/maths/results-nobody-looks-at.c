//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     no branch depends on what `sin` gives, and the sum is protected by a lock
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;
static int done;

static void *worker(void *argument) {
    double sum = sin(2) + 1;
    pthread_mutex_lock(&lock);
    total += sum;
    done++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    printf("%f\n", total);
    assert(done == 2);
    return 0;
}
