//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the other thread may reach the error before the process ends
extern void abort(void);
void reach_error() {}
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}
extern _Bool __VERIFIER_nondet_bool(void);
#include <pthread.h>

static void *work(void *unused) {
    reach_error();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assume_abort_if_not(__VERIFIER_nondet_bool());
    pthread_join(thread, NULL);
    return 0;
}
