//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:     a wait that ends for no reason lets a taker leave with a slot that nobody filled, as in a public blocking queue
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int *slots, count;

static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    if (count == 0)
        pthread_cond_wait(&filled, &lock);
    int taken = slots[0];
    count--;
    pthread_mutex_unlock(&lock);
    return taken > 0 ? &count : unused;
}

int main(void) {
    slots = malloc(2 * sizeof *slots);
    if (!slots)
        return 1;
    pthread_t taker;
    pthread_create(&taker, 0, take, 0);
    pthread_mutex_lock(&lock);
    slots[0] = 5;
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(taker, 0);
    free(slots);
    return 0;
}
