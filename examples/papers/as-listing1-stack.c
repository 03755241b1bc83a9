//@ truth:    assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe atomic-sets=unsafe
//@ expect:   reference atomic-sets=unknown
//@ why:      the wrappers lock themselves instead of the stack, so that one may pop the last item after the other has checked the size

// AS Listing 1 in C: a stack whose functions are each synchronized, and a wrapper that checks the size before it pops.
// Java's monitors are recursive mutexes; each thread synchronizes on a wrapper of its own.

#define _GNU_SOURCE
#include <pthread.h>

//@ atomic(S)
static int data[2];
//@ atomic(S)
static int count = -1;

static pthread_mutex_t stack = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t wrapper[2];

//@ unit(S)
static int pop(void) {
    pthread_mutex_lock(&stack);
    int result = data[count];
    data[count] = 0;
    count--;
    pthread_mutex_unlock(&stack);
    return result;
}

//@ unit(S)
static void push(int item) {
    pthread_mutex_lock(&stack);
    count++;
    data[count] = item;
    pthread_mutex_unlock(&stack);
}

//@ unit(S)
static int size(void) {
    pthread_mutex_lock(&stack);
    int result = count + 1;
    pthread_mutex_unlock(&stack);
    return result;
}

//@ unit(S)
static int popwrap(pthread_mutex_t *own) {
    int result = 0;
    pthread_mutex_lock(own);
    if (size() > 0)
        result = pop();
    pthread_mutex_unlock(own);
    return result;
}

static void *first(void *argument) {
    popwrap(&wrapper[0]);
    return argument;
}

static void *second(void *argument) {
    popwrap(&wrapper[1]);
    return argument;
}

int main(void) {
    pthread_mutex_init(&wrapper[0], 0);
    pthread_mutex_init(&wrapper[1], 0);
    push(1);
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
