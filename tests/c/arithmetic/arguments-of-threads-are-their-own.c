//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     each thread has a request of its own, and writes its answer there
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct request {
    int a, b, greatest;
};

static void *compare(void *argument) {
    struct request *request = argument;
    request->greatest = request->a > request->b ? request->a : request->b;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct request first = {__VERIFIER_nondet_int(), 1000, 0};
    struct request second = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 0};
    pthread_create(&thread, NULL, compare, &first);
    compare(&second);
    pthread_join(thread, NULL);
    assert(first.greatest >= first.a && first.greatest >= first.b);
    assert((second.greatest == second.a || second.greatest == second.b) && second.greatest >= second.a);
    return 0;
}
