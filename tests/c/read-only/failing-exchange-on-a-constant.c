//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `cmpxchg` writes even if it fails, so the program dies of SIGSEGV when it is built with gcc; C leaves it undefined (C11 7.17.7.4 wants an object that may be modified)
#include <stdatomic.h>

static const atomic_int ready = 1;

int main(void) {
    int expected = 0;
    atomic_compare_exchange_strong((atomic_int *)&ready, &expected, 2);
    return 0;
}
