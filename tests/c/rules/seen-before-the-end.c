//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:   between the store and the division the other thread may see the store, whatever else moves
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int zero, quotient;

static void *divide(void *unused) {
    flag = 1;
    quotient = 1 / zero;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, divide, 0);
    assert(flag == 0);
    pthread_join(thread, 0);
    return 0;
}
