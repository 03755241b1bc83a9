//@ truth:   assert=unsafe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the section may be passed between the two stores, and then nothing holds the error back; later it waits for ever
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void reach_error() {}
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *writes(void *unused) {
    flag = 1;
    flag = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(flag == 1);
    __VERIFIER_atomic_end();
    reach_error();
    pthread_join(thread, NULL);
    return 0;
}
