//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     (a+b)(a-b) is the difference of the squares, also where it wraps
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned char a, b;
static unsigned product, squares;

static void *multiply(void *unused) {
    product = (a + b) * ((unsigned)a - b);
    return unused;
}

static void *square(void *unused) {
    squares = a * a - (unsigned)(b * b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    a = __VERIFIER_nondet_uint() >> 28;
    b = __VERIFIER_nondet_uint() >> 28;
    pthread_create(&one, NULL, multiply, NULL);
    pthread_create(&two, NULL, square, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(product == squares);
    return 0;
}
