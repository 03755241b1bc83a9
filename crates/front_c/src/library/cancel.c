/* Cancelling threads: who is asked to end does so at its next deferred point, as if it called `pthread_exit` there.
   Where nobody calls `pthread_cancel`, points do nothing, and joins and waits are single actions of the lowering. */

typedef unsigned long pthread_t;

void pthread_exit(void *value);
int __raddle_is_own_name(unsigned long thread);
unsigned long __raddle_self(void);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_unsupported(const char *);
_Bool __raddle_any_bool(void);
int *__errno_location(void);
int __raddle_sync_wait_begin(void *, void *);
int __raddle_sync_wait_end(void *, void *);
int __raddle_sync_wait_end_timed(void *, void *);
int __raddle_sync_down(void *);
int __raddle_sync_timed_down(void *);
void *__raddle_join(unsigned long thread);

/* These wait for one thing or the other: for what their names say, or until the thread is asked to end. */
int __raddle_join_unless_cancelled(unsigned long thread, void **value);
int __raddle_wait_end_unless_cancelled(void *condition, void *mutex);
int __raddle_down_unless_cancelled(void *semaphore);

enum { EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
enum { CANCELLED = 4095, REQUESTS = 16 };

/* The names of threads that are asked to end; a name in memory is given to no other thread. */
static unsigned long requests[REQUESTS];
static __thread int cancel_state, cancel_type, is_ending;

int pthread_cancel(pthread_t thread)
{
    int slot = 0;
    __raddle_atomic_begin();
    while (slot < REQUESTS && requests[slot] && requests[slot] != thread)
        slot++;
    if (slot < REQUESTS)
        requests[slot] = thread;
    __raddle_atomic_end();
    if (slot == REQUESTS)
        __raddle_unsupported("more than 16 threads that are cancelled");
    return 0;
}

/* Called inside of one step. */
int __raddle_is_cancelled(void)
{
    unsigned long own = __raddle_self();
    for (int slot = 0; slot < REQUESTS && requests[slot]; slot++)
        if (requests[slot] == own)
            return 1;
    return 0;
}

/* Who ends already is not disturbed. Lowered only if somebody is cancelled. */
void __raddle_begin_ending(void) { is_ending = 1; }
void __raddle_refuse_waiting(void) { __raddle_unsupported("to wait for a pipe in a program that cancels threads"); }
void __raddle_refuse_asynchronous(void) { __raddle_unsupported("a thread that may be cancelled at any time"); }

static int may_be_cancelled(void) { return cancel_state == 0 && !is_ending; }

void __raddle_test_cancel(void)
{
    int is_due;
    if (!may_be_cancelled())
        return;
    __raddle_atomic_begin();
    is_due = __raddle_is_cancelled();
    __raddle_atomic_end();
    if (is_due)
        pthread_exit((void *)-1);
}

void pthread_testcancel(void) { __raddle_test_cancel(); }

int pthread_setcancelstate(int state, int *old)
{
    if (state != 0 && state != 1)
        return EINVAL;
    if (old)
        *old = cancel_state;
    cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1)
        return EINVAL;
    if (old)
        *old = cancel_type;
    if (type == 1)
        __raddle_refuse_asynchronous();
    cancel_type = type;
    return 0;
}

/* Points at which a thread waits: a request ends the wait. */

int pthread_join(pthread_t thread, void **result)
{
    void *value;
    if (__raddle_is_own_name(thread))
        return EDEADLK;
    if (!may_be_cancelled())
        value = __raddle_join(thread);
    else if (__raddle_join_unless_cancelled(thread, &value) == CANCELLED)
        pthread_exit((void *)-1);
    if (result)
        *result = value;
    return 0;
}

/* The mutex is held again before the thread ends. A request and a signal may come at once: then either is heeded. */
int pthread_cond_wait(void *condition, void *mutex)
{
    int error;
    __raddle_sync_wait_begin(condition, mutex);
    if (!may_be_cancelled())
        return __raddle_sync_wait_end(condition, mutex);
    error = __raddle_wait_end_unless_cancelled(condition, mutex);
    if (error == CANCELLED)
        pthread_exit((void *)-1);
    return error;
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *time)
{
    int error;
    __raddle_sync_wait_begin(condition, mutex);
    error = __raddle_sync_wait_end_timed(condition, mutex);
    if (__raddle_any_bool())
        __raddle_test_cancel();
    return error;
}

int pthread_cond_clockwait(void *condition, void *mutex, int clock, const void *time)
{
    return pthread_cond_timedwait(condition, mutex, time);
}

int __raddle_cancellable_down(void *semaphore)
{
    int error;
    __raddle_test_cancel();
    if (!may_be_cancelled())
        return __raddle_sync_down(semaphore);
    error = __raddle_down_unless_cancelled(semaphore);
    if (error == CANCELLED)
        pthread_exit((void *)-1);
    return error;
}

int __raddle_cancellable_timed_down(void *semaphore)
{
    int error;
    __raddle_test_cancel();
    error = __raddle_sync_timed_down(semaphore);
    if (error == ETIMEDOUT && __raddle_any_bool())
        __raddle_test_cancel();
    return error;
}
