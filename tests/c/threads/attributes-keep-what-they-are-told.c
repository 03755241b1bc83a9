//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each setter succeeds, and each getter gives what was set
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    pthread_attr_t a;
    static char stack[1 << 16];
    int n;
    size_t size;
    struct sched_param parameters = {.sched_priority = 1};
    cpu_set_t set = {0};
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0 && pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_setstacksize(&a, 1 << 20) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setstack(&a, stack, sizeof stack) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == sizeof stack);
    assert(pthread_attr_setguardsize(&a, 8192) == 0 && pthread_attr_getguardsize(&a, &size) == 0 && size == 8192);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP && pthread_attr_getscope(&a, &n) == 0 && n == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0 && pthread_attr_getschedpolicy(&a, &n) == 0 && n == SCHED_RR);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0 && pthread_attr_getinheritsched(&a, &n) == 0 && n == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedparam(&a, &parameters) == 0);
    assert(pthread_attr_setaffinity_np(&a, sizeof set, &set) == 0);
    assert(pthread_attr_destroy(&a) == 0);
    return 0;
}
