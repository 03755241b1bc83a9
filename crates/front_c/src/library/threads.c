/* The threads of C11, on top of those of POSIX, with glibc's numbers.
   Locks and conditions whose result nobody asks for never get here: the lowering puts the action in their place. */

typedef unsigned long thrd_t;
typedef unsigned int tss_t;
typedef long intptr_t;
typedef struct { int state; } once_flag;

unsigned long __raddle_spawn_into(unsigned long *thread, void *(*runner)(int (*)(void *), void *), int (*function)(void *), void *argument);
void __raddle_detach(unsigned long thread);
unsigned long __raddle_self(void);
void __raddle_exit_thread(void *value);
void __raddle_run_destructors(void);
void __raddle_run_cleanups(void);
void __raddle_begin_ending(void);
void __raddle_leave_routines(void);
void __raddle_count_thread(void);
void __raddle_leave(void);
int __raddle_is_own_name(unsigned long thread);
void *__raddle_join(unsigned long thread);
void __raddle_init_mutex(void *);
void __raddle_init_recursive_mutex(void *);
void __raddle_init_condition(void *);
void __raddle_destroy_mutex(void *);
void __raddle_destroy_condition(void *);
int __raddle_sync_acquire(void *);
int __raddle_sync_try_acquire(void *);
int __raddle_sync_timed_acquire(void *);
int __raddle_sync_release(void *);
int __raddle_sync_signal(void *);
int __raddle_sync_broadcast(void *);
int __raddle_sync_wait_begin(void *, void *);
int __raddle_sync_wait_end(void *, void *);
int __raddle_sync_wait_end_timed(void *, void *);
int pthread_once(int *once, void (*routine)(void));
int pthread_key_create(unsigned int *key, void (*destructor)(void *));
int pthread_key_delete(unsigned int key);
void *pthread_getspecific(unsigned int key);
int pthread_setspecific(unsigned int key, const void *value);

enum { EBUSY = 16, ETIMEDOUT = 110 };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };

static int result_of(int error)
{
    if (error == 0)
        return thrd_success;
    if (error == EBUSY)
        return thrd_busy;
    return error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

/* Threads. Their result travels in a pointer. */

static void *run(int (*function)(void *), void *argument)
{
    int result = function(argument);
    __raddle_run_destructors();
    __raddle_leave();
    return (void *)(intptr_t)result;
}

int thrd_create(thrd_t *thread, int (*function)(void *), void *argument)
{
    __raddle_count_thread();
    __raddle_spawn_into(thread, run, function, argument);
    return thrd_success;
}

int thrd_join(thrd_t thread, int *result)
{
    if (__raddle_is_own_name(thread))
        return thrd_error;
    void *value = __raddle_join(thread);
    if (result)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

void thrd_exit(int result)
{
    __raddle_begin_ending();
    __raddle_run_cleanups();
    __raddle_leave_routines();
    __raddle_run_destructors();
    __raddle_leave();
    __raddle_exit_thread((void *)(intptr_t)result);
}

int thrd_detach(thrd_t thread) { __raddle_detach(thread); return thrd_success; }
thrd_t thrd_current(void) { return __raddle_self(); }
int thrd_equal(thrd_t left, thrd_t right) { return left == right; }
int thrd_sleep(const void *duration, void *rest) { return 0; }
int __thrd_sleep64(const void *duration, void *rest) { return 0; }
void thrd_yield(void) {}

/* Mutexes. */

int mtx_init(void *mutex, int kind)
{
    if (kind < 0 || kind > 3)
        return thrd_error;
    if (kind & 1)
        __raddle_init_recursive_mutex(mutex);
    else
        __raddle_init_mutex(mutex);
    return thrd_success;
}
void mtx_destroy(void *mutex) { __raddle_destroy_mutex(mutex); }
int mtx_lock(void *mutex) { return result_of(__raddle_sync_acquire(mutex)); }
int mtx_trylock(void *mutex) { return result_of(__raddle_sync_try_acquire(mutex)); }
int mtx_timedlock(void *mutex, const void *time) { return result_of(__raddle_sync_timed_acquire(mutex)); }
int __mtx_timedlock64(void *mutex, const void *time) { return result_of(__raddle_sync_timed_acquire(mutex)); }
int mtx_unlock(void *mutex) { return result_of(__raddle_sync_release(mutex)); }

/* Condition variables. */

int cnd_init(void *condition) { __raddle_init_condition(condition); return thrd_success; }
void cnd_destroy(void *condition) { __raddle_destroy_condition(condition); }
int cnd_signal(void *condition) { return result_of(__raddle_sync_signal(condition)); }
int cnd_broadcast(void *condition) { return result_of(__raddle_sync_broadcast(condition)); }
int cnd_wait(void *condition, void *mutex)
{
    __raddle_sync_wait_begin(condition, mutex);
    return result_of(__raddle_sync_wait_end(condition, mutex));
}
int cnd_timedwait(void *condition, void *mutex, const void *time)
{
    __raddle_sync_wait_begin(condition, mutex);
    return result_of(__raddle_sync_wait_end_timed(condition, mutex));
}
int __cnd_timedwait64(void *condition, void *mutex, const void *time) { return cnd_timedwait(condition, mutex, time); }

/* Once, and values of a thread. */

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once(&flag->state, routine); }

int tss_create(tss_t *key, void (*destructor)(void *)) { return result_of(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return result_of(pthread_setspecific(key, value)); }
