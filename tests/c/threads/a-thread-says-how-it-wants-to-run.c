//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     priorities, processors and a name change nothing; what a thread said of cancelling is given back
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    struct sched_param parameters = {0};
    cpu_set_t set = {.__bits = {1}};
    int old;
    assert(pthread_setconcurrency(2) == 0);
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_setname_np(pthread_self(), "a name of sixteen") == ERANGE);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters) == 0);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcancelstate(7, &old) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS);
    assert((pthread_testcancel(), old == PTHREAD_CANCEL_ASYNCHRONOUS));
    return 0;
}
