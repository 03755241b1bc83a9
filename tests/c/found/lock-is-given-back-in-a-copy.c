//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the lock is copied and the copy is opened, so whoever comes next spins for ever, as in a public hash map
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool lock;

static void acquire(atomic_bool *at) {
    bool is_free = false;
    while (!atomic_compare_exchange_strong(at, &is_free, true))
        is_free = false;
}

static void release(atomic_bool *at) {
    atomic_bool copy = *at;
    bool is_taken = true;
    atomic_compare_exchange_strong(&copy, &is_taken, false);
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        acquire(&lock);
        release(&lock);
    }
    return 0;
}
