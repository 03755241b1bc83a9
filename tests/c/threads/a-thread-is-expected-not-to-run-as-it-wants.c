//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     all calls do what their manual says; the assertion says that one does not
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    struct sched_param parameters = {0};
    cpu_set_t set = {.__bits = {1}};
    int old;
    assert(!(pthread_setconcurrency(2) == 0
             && pthread_setname_np(pthread_self(), "worker") == 0
             && pthread_setname_np(pthread_self(), "a name of sixteen") == ERANGE
             && pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0
             && pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters) == 0
             && pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE
             && pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE
             && pthread_setcancelstate(7, &old) == EINVAL
             && pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED
             && pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS
             && (pthread_testcancel(), old == PTHREAD_CANCEL_ASYNCHRONOUS)));
    return 0;
}
