//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:   the twin: the store comes after the division, so nobody sees it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int zero, quotient;

static void *divide(void *unused) {
    quotient = 1 / zero;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, divide, 0);
    assert(flag == 0);
    pthread_join(thread, 0);
    return 0;
}
