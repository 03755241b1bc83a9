//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     under gcc `pthread_self()` of main is an address and never 0
#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_self() == 0);
    return 0;
}
