//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both counts are even between sections
#include <pthread.h>

int nondet_int(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_yield(void);
void __VERIFIER_assert(int);

int count;

static void *twice(void *unused) {
    __ESBMC_atomic_begin();
    count++;
    count++;
    __ESBMC_atomic_end();
    __ESBMC_yield();
    return unused;
}

int main(void) {
    int first = nondet_int();
    __ESBMC_assume(first >= 0 && first < 2);
    count = 2 * first;
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    __ESBMC_atomic_begin();
    int seen = count;
    __ESBMC_atomic_end();
    __ESBMC_assert(seen % 2 == 0, "even");
    pthread_join(thread, NULL);
    __VERIFIER_assert(count == 2 * first + 2);
    return 0;
}
