//@ truth:   race=safe
//@ expect:   reference race=unknown
//@ options: --property race
//@ why:     which numbers lie in the memory that nobody set does not matter: both threads hold the lock
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *numbers;
static int found;
extern int __VERIFIER_nondet_int(void);

static void *looks(void *unused) {
    int at = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (at >= 0 && at < 3 && numbers[at] > 3)
        found = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    numbers = malloc(3 * sizeof *numbers);
    if (!numbers)
        return 1;
    pthread_t one, two;
    pthread_create(&one, 0, looks, 0);
    pthread_create(&two, 0, looks, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return found;
}
