//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the section keeps the two halves together, and what is assumed keeps the sum below 256
#include <pthread.h>

unsigned char nondet_uchar(void);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int left, right;

static void *move(void *unused) {
    unsigned char many = nondet_uchar();
    __CPROVER_assume(many < 3);
    __CPROVER_atomic_begin();
    left -= many;
    right += many;
    __CPROVER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    __CPROVER_atomic_begin();
    int sum = left + right;
    __CPROVER_atomic_end();
    __CPROVER_assert(sum == 0, "nothing is lost");
    pthread_join(thread, NULL);
    __CPROVER_assert(right < 3, "no more than two");
    return 0;
}
