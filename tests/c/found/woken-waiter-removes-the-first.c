//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:  explicit.none deadlock=unknown
//@ expect:  explicit.local deadlock=unknown
//@ expect:  explicit.optimistic deadlock=unknown
//@ why:     who wakes for no reason takes the first waiter for itself and frees the condition variable that another one still waits on, as in a public queue
#include <pthread.h>
#include <stdlib.h>

struct waiter {
    pthread_cond_t changed;
    struct waiter *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiter *first, *last;
static int items;

static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    while (items == 0) {
        struct waiter *own = malloc(sizeof *own);
        if (!own)
            abort();
        pthread_cond_init(&own->changed, 0);
        own->next = 0;
        if (last)
            last->next = own;
        else
            first = own;
        last = own;
        pthread_cond_wait(&own->changed, &lock);
        struct waiter *gone = first;
        first = first->next;
        if (!first)
            last = 0;
        free(gone);
    }
    items--;
    if (items > 0 && first)
        pthread_cond_signal(&first->changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void put(void) {
    pthread_mutex_lock(&lock);
    items++;
    if (first)
        pthread_cond_signal(&first->changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    put();
    put();
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
