//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `raise` calls the handler before it returns (C11 7.14.2.1)
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handle(int number) {
    seen = number;
}

int main(void) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    assert(seen != SIGUSR1);
    return 0;
}
