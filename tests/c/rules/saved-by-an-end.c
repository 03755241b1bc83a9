//@ truth:  assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ expect: reference deadlock=unknown
//@ expect: explicit deadlock=unknown
//@ why:    the waiter waits for ever unless the other thread divides by zero, after which nobody knows
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
static sem_t never;
static int zero, quotient;

static void *wait(void *unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, wait, 0);
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            quotient = 1 / zero;
        }
    }
}
