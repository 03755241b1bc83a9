//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a handler for `fork` changes nothing before somebody forks; registering one is not modelled
#include <assert.h>
#include <pthread.h>

static void handler(void) {}

int main(void) {
    assert(pthread_atfork(handler, handler, handler) != 0);
    return 0;
}
