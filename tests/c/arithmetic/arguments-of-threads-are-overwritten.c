//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the request is used again for the second thread before the first has read it
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct request {
    int a, b;
    int *greatest;
};

static void *compare(void *argument) {
    struct request *request = argument;
    int a = request->a, b = request->b;
    *request->greatest = a > b ? a : b;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int answers[2] = {0, 0};
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    struct request request = {a, b, &answers[0]};
    if (a < 1 || b < 1 || a > 1000 || b > 1000 || a * a + b * b != 997 * 997 + 4)
        return 0;
    pthread_create(&one, NULL, compare, &request);
    request.a = __VERIFIER_nondet_int();
    request.b = __VERIFIER_nondet_int();
    request.greatest = &answers[1];
    pthread_create(&two, NULL, compare, &request);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(answers[0] >= a || answers[0] >= b);
    return 0;
}
