//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the assertion stands before the join
#include <pthread.h>

extern void assert(int);

int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    assert(count == 1);
    pthread_join(thread, NULL);
    return 0;
}
