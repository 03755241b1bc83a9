//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=safe
//@ expect:   reference atomic-sets=unknown
//@ why:      the wrappers lock the stack itself, so that nobody pops between the check of the size and the pop

// AS Listing 1 in C: a stack whose functions are each synchronized, and a wrapper that checks the size before it pops.
// Java's monitors are recursive mutexes; both threads synchronize on the stack, which is taken again inside.

#define _GNU_SOURCE
#include <pthread.h>

//@ atomic(S)
static int data[2];
//@ atomic(S)
static int count = -1;

static pthread_mutex_t stack = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

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
static int popwrap(void) {
    int result = 0;
    pthread_mutex_lock(&stack);
    if (size() > 0)
        result = pop();
    pthread_mutex_unlock(&stack);
    return result;
}

static void *first(void *argument) {
    popwrap();
    return argument;
}

static void *second(void *argument) {
    popwrap();
    return argument;
}

int main(void) {
    push(1);
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
