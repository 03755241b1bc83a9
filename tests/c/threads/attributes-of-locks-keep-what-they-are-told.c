//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each setter succeeds, each getter gives what was set, and the objects are made accordingly
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    int n;
    clockid_t clock;
    assert(pthread_mutexattr_init(&m) == 0);
    assert(pthread_mutexattr_settype(&m, PTHREAD_MUTEX_ERRORCHECK) == 0 && pthread_mutexattr_gettype(&m, &n) == 0 && n == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED) == 0 && pthread_mutexattr_getpshared(&m, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT) == 0 && pthread_mutexattr_getprotocol(&m, &n) == 0 && n == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_STALLED) == 0 && pthread_mutexattr_getrobust(&m, &n) == 0 && n == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setpshared(&m, 7) == EINVAL && pthread_mutexattr_setprotocol(&m, 7) == EINVAL);
    assert(pthread_mutexattr_gettype(&m, &n) == 0 && n == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_init(&mutex, &m) == 0 && pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutexattr_destroy(&m) == 0);
    assert(pthread_condattr_init(&c) == 0);
    assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0 && pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) == 0 && pthread_condattr_getpshared(&c, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_cond_init(&condition, &c) == 0 && pthread_cond_broadcast(&condition) == 0 && pthread_cond_destroy(&condition) == 0);
    assert(pthread_condattr_destroy(&c) == 0);
    assert(pthread_rwlockattr_init(&r) == 0);
    assert(pthread_rwlockattr_setkind_np(&r, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0 && pthread_rwlockattr_getkind_np(&r, &n) == 0 && n == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    assert(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED) == 0 && pthread_rwlockattr_getpshared(&r, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlock_init(&lock, &r) == 0 && pthread_rwlock_tryrdlock(&lock) == 0 && pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_destroy(&lock) == 0 && pthread_rwlockattr_destroy(&r) == 0);
    assert(pthread_barrierattr_init(&b) == 0);
    assert(pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED) == 0 && pthread_barrierattr_getpshared(&b, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_barrier_init(&barrier, &b, 1) == 0 && pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&barrier) == 0 && pthread_barrierattr_destroy(&b) == 0);
    return 0;
}
