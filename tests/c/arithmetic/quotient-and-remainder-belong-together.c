//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the quotient times the divisor plus the remainder is the number again
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned number;
static unsigned quotient, remainder_;

static void *divide(void *unused) {
    quotient = number / 10;
    return unused;
}

static void *modulo(void *unused) {
    remainder_ = number % 10;
    return unused;
}

int main(void) {
    pthread_t one, two;
    number = __VERIFIER_nondet_uint() >> 12;
    pthread_create(&one, NULL, divide, NULL);
    pthread_create(&two, NULL, modulo, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(remainder_ < 10 && 10 * quotient + remainder_ == number);
    return 0;
}
