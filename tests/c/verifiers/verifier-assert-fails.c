//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the count may be 1 if `main` joins no thread
#include <pthread.h>

void __VERIFIER_assert(int);
_Bool nondet_bool(void);

int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (nondet_bool()) {
        pthread_create(&thread, NULL, add, NULL);
        pthread_join(thread, NULL);
    }
    __VERIFIER_assert(count == 0);
    return 0;
}
