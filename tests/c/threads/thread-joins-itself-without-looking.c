//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     glibc gives EDEADLK, 35, and does not wait
#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_join(pthread_self(), NULL) == 0);
    return 0;
}
