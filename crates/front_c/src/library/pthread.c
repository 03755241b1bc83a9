/* POSIX threads. Calls that are one action never get here: the lowering puts the action in their place.
   What is here takes a choice, a loop or a value of errno. */

typedef __typeof__(sizeof 0) size_t;

/* glibc's layouts, as far as the text looks into them: attributes keep their value in the first word. */
typedef struct { int detached; int scope; int policy; int inherit; size_t stack, guard; } pthread_attr_t;
typedef struct { int kind; } pthread_mutexattr_t;
typedef struct { int clock; } pthread_condattr_t;
typedef struct { int kind; int shared; } pthread_rwlockattr_t;
typedef struct { int shared; } pthread_barrierattr_t;
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;

unsigned long __raddle_spawn(void *(*function)(void *), void *argument);
unsigned long __raddle_spawn_into(unsigned long *thread, void *(*runner)(void *(*)(void *), void *), void *(*function)(void *), void *argument);
void __raddle_detach(unsigned long thread);
void *__raddle_join(unsigned long thread);
unsigned long __raddle_self(void);
void __raddle_exit_thread(void *value);
void __raddle_leave_routines(void);
int __raddle_leaves_routines(void);
void __raddle_init_mutex(void *);
void __raddle_init_recursive_mutex(void *);
void __raddle_init_checked_mutex(void *);
void __raddle_init_spin_lock(void *);
void __raddle_destroy_spin_lock(void *);
void __raddle_init_rwlock(void *);
void __raddle_init_condition(void *);
void __raddle_init_semaphore(void *, unsigned);
void __raddle_init_barrier(void *, unsigned);
int __raddle_sync_acquire(void *);
int __raddle_sync_release(void *);
int __raddle_sync_acquire_spin(void *);
int __raddle_sync_try_acquire_spin(void *);
int __raddle_sync_release_spin(void *);
int __raddle_sync_post(void *);
int __raddle_cancellable_down(void *);
int __raddle_cancellable_timed_down(void *);
void __raddle_begin_ending(void);
int __raddle_sync_try_down(void *);
int __raddle_sync_semaphore_value(void *);
int __raddle_sync_arrive(void *);
int __raddle_sync_leave(void *);
void __raddle_atomic_begin(void);
void __raddle_atomic_begin_as_written(void);
void __raddle_atomic_end(void);
void __raddle_assume(int);
void __raddle_unsupported(const char *);
_Noreturn void exit(int status);
int *__errno_location(void);

enum { EPERM = 1, EAGAIN = 11, EBUSY = 16, EINVAL = 22, ERANGE = 34, EOVERFLOW = 75, ENOTSUP = 95, ETIMEDOUT = 110 };
enum { SEM_VALUE_MAX = 0x7fffffff };

/* Threads. */

int pthread_equal(pthread_t left, pthread_t right) { return left == right; }

int pthread_attr_init(pthread_attr_t *attributes)
{
    attributes->detached = 0;
    attributes->scope = 0;
    attributes->policy = 0;
    attributes->inherit = 0;
    attributes->stack = 8 << 20;
    attributes->guard = 4096;
    return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    if (state != 0 && state != 1)
        return EINVAL;
    attributes->detached = state;
    return 0;
}
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) { *state = attributes->detached; return 0; }
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    if (size < 16384)
        return EINVAL;
    attributes->stack = size;
    return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size) { *size = attributes->stack; return 0; }
int pthread_attr_setstack(pthread_attr_t *attributes, void *address, size_t size) { return pthread_attr_setstacksize(attributes, size); }
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) { attributes->guard = size; return 0; }
int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) { *size = attributes->guard; return 0; }
int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
    if (scope == 1)
        return ENOTSUP;
    return scope == 0 ? 0 : EINVAL;
}
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) { *scope = attributes->scope; return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy)
{
    if (policy < 0 || policy > 2)
        return EINVAL;
    attributes->policy = policy;
    return 0;
}
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy) { *policy = attributes->policy; return 0; }
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit)
{
    if (inherit != 0 && inherit != 1)
        return EINVAL;
    attributes->inherit = inherit;
    return 0;
}
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit) { *inherit = attributes->inherit; return 0; }
int pthread_attr_setschedparam(pthread_attr_t *attributes, const void *parameters) { return 0; }
int pthread_setschedparam(pthread_t thread, int policy, const void *parameters) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
/* What `pthread_cleanup_push` pushed: the buffers of glibc's macros, each with the one before it, as in glibc. The
   checker reads the macro's call of `__pthread_register_cancel` as one of `__raddle_push_cleanup`, and the place that
   glibc jumps back to as one that is never come back to: handlers run here, above the thread's frames.
   A buffer that was left without `pthread_cleanup_pop` is memory that has ended. */
struct cleanup {
    struct cleanup *previous;
    void (*routine)(void *);
    void *argument;
    int routines;
};
static __thread struct cleanup *cleanups;

int __raddle_running_routines(void);
void __raddle_leave_routines_to(int count);

void __raddle_push_cleanup(struct cleanup *buffer, void (*routine)(void *), void *argument)
{
    buffer->previous = cleanups;
    buffer->routine = routine;
    buffer->argument = argument;
    buffer->routines = __raddle_running_routines();
    cleanups = buffer;
}
void __pthread_unregister_cancel(void *buffer) { cleanups = ((struct cleanup *)buffer)->previous; }
void __pthread_register_cancel(void *buffer) { __raddle_unsupported("`pthread_cleanup_push` as this header writes it"); }
_Noreturn void __pthread_unwind_next(void *buffer) { __raddle_unsupported("`__pthread_unwind_next`"); for (;;); }

/* The latest first, each popped before it runs. A routine of `pthread_once` around it is left in its turn. */
void __raddle_run_cleanups(void)
{
    while (cleanups) {
        struct cleanup *top = cleanups;
        __raddle_leave_routines_to(top->routines);
        cleanups = top->previous;
        top->routine(top->argument);
    }
}

/* Values of a thread. Lowered only if the program makes a key. */

/* As many as POSIX asks for at least. */
enum { KEYS = 128, ROUNDS = 4 };
static unsigned keys_made, keys_deleted;
static void (*destructors[KEYS])(void *);
static __thread void *values[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    unsigned next, deleted;
    __raddle_atomic_begin_as_written();
    next = keys_made;
    deleted = keys_deleted;
    if (next < KEYS) {
        keys_made = next + 1;
        destructors[next] = destructor;
    }
    __raddle_atomic_end();
    if (next >= KEYS) {
        /* A key that was deleted could be had again, with no value in any thread. */
        if (deleted)
            __raddle_unsupported("more keys than can be told apart");
        return EAGAIN;
    }
    *key = next;
    return 0;
}

int pthread_key_delete(pthread_key_t key)
{
    int is_made;
    __raddle_atomic_begin_as_written();
    is_made = key < keys_made;
    if (is_made) {
        destructors[key] = 0;
        keys_deleted++;
    }
    __raddle_atomic_end();
    return is_made ? 0 : EINVAL;
}

void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? values[key] : (void *)0; }

int pthread_setspecific(pthread_key_t key, const void *value)
{
    unsigned made;
    __raddle_atomic_begin();
    made = keys_made;
    __raddle_atomic_end();
    if (key >= made)
        return EINVAL;
    values[key] = (void *)value;
    return 0;
}

void __raddle_run_destructors(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int found = 0;
        unsigned made;
        __raddle_atomic_begin();
        made = keys_made;
        __raddle_atomic_end();
        for (unsigned key = 0; key < made; key++) {
            void *value = values[key];
            void (*destructor)(void *);
            __raddle_atomic_begin();
            destructor = destructors[key];
            __raddle_atomic_end();
            if (value && destructor) {
                values[key] = 0;
                found = 1;
                destructor(value);
            }
        }
        if (!found)
            return;
    }
}

/* How many threads there are. Lowered only if a thread may leave and functions may be registered with `atexit`: then
   the last one that leaves calls them. */
static unsigned threads_left = 1;

void __raddle_count_thread(void)
{
    __raddle_atomic_begin();
    threads_left++;
    __raddle_atomic_end();
}

void __raddle_leave(void)
{
    int is_last;
    __raddle_atomic_begin();
    threads_left--;
    is_last = threads_left == 0;
    __raddle_atomic_end();
    if (is_last)
        exit(0);
}

static void *run_thread(void *(*function)(void *), void *argument)
{
    void *result = function(argument);
    __raddle_run_destructors();
    __raddle_leave();
    return result;
}

/* Without keys and counting, the lowering does this in place. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    int is_detached = attributes && attributes->detached == 1;
    __raddle_count_thread();
    pthread_t made = __raddle_spawn_into(thread, run_thread, function, argument);
    if (is_detached)
        __raddle_detach(made);
    return 0;
}

void pthread_exit(void *value)
{
    __raddle_begin_ending();
    __raddle_run_cleanups();
    __raddle_leave_routines();
    __raddle_run_destructors();
    __raddle_leave();
    __raddle_exit_thread(value);
}

int pthread_tryjoin_np(pthread_t thread, void **result) { __raddle_unsupported("`pthread_tryjoin_np`"); return EBUSY; }
int pthread_timedjoin_np(pthread_t thread, void **result, const void *time) { __raddle_unsupported("`pthread_timedjoin_np`"); return ETIMEDOUT; }

/* A routine that runs is a lock that its thread holds: whoever comes meanwhile waits for that thread, and the thread
   itself for ever. The word says which lock: 0 before, twice the number of the lock and 1 meanwhile, 2 after.
   What the routine did comes before every return, so the word is released and acquired.
   A thread that ends inside of a routine leaves it as if it had not begun, as glibc's cleanup handler does: the next
   one runs it again, also if it waited. */

enum { ROUTINES = 16, DONE = 2 };
static pthread_spinlock_t routines[ROUTINES];
static int routines_begun;

static __thread pthread_once_t *running[ROUTINES];
static __thread int running_count;

/* These five are lowered only if a thread may end inside of a routine. */
void __raddle_begin_routine(pthread_once_t *once) { running[running_count++] = once; }
void __raddle_end_routine(void) { running_count--; }
int __raddle_running_routines(void) { return running_count; }
void __raddle_leave_routines(void) { __raddle_leave_routines_to(0); }
void __raddle_leave_routines_to(int count)
{
    while (running_count > count) {
        pthread_once_t *once = running[--running_count];
        __raddle_atomic_begin_as_written();
        int number = *once / 2;
        *once = 0;
        __raddle_sync_release_spin((void *)&routines[number]);
        __raddle_atomic_end();
    }
}

int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    int state, number;
again:
    __raddle_atomic_begin_as_written();
    state = __atomic_load_n(once, 5);
    number = state / 2;
    if (state == 0) {
        number = routines_begun;
        if (number < ROUTINES) {
            routines_begun = number + 1;
            *once = 2 * number + 1;
            __raddle_init_spin_lock((void *)&routines[number]);
            __raddle_sync_acquire_spin((void *)&routines[number]);
        }
    }
    __raddle_atomic_end();
    if (state == DONE)
        return 0;
    if (number >= ROUTINES)
        __raddle_unsupported("more than 16 routines of `pthread_once`");
    if (state == 0) {
        __raddle_begin_routine(once);
        routine();
        __raddle_end_routine();
        __raddle_atomic_begin_as_written();
        __atomic_store_n(once, DONE, 5);
        __raddle_sync_release_spin((void *)&routines[number]);
        __raddle_atomic_end();
    } else {
        __raddle_sync_acquire_spin((void *)&routines[number]);
        __raddle_sync_release_spin((void *)&routines[number]);
        if (__raddle_leaves_routines())
            goto again;
    }
    return 0;
}

/* Mutexes with attributes. What they are for besides their kind is kept in higher bits, and changes nothing in one
   process without priorities. */

enum { KIND = 3, SHARED = 4, PROTOCOL = 8 };

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) { attributes->kind = 0; return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    if (kind < 0 || kind > 3)
        return EINVAL;
    attributes->kind = attributes->kind / SHARED * SHARED + kind;
    return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) { *kind = attributes->kind & KIND; return 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
    if (shared != 0 && shared != 1)
        return EINVAL;
    attributes->kind = (attributes->kind & ~SHARED) + shared * SHARED;
    return 0;
}
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) { *shared = (attributes->kind & SHARED) != 0; return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
    if (protocol < 0 || protocol > 2)
        return EINVAL;
    attributes->kind = attributes->kind % PROTOCOL + protocol * PROTOCOL;
    return 0;
}
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) { *protocol = attributes->kind / PROTOCOL; return 0; }
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust)
{
    if (robust != 0 && robust != 1)
        return EINVAL;
    if (robust)
        __raddle_unsupported("a robust mutex");
    return 0;
}
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) { *robust = 0; return 0; }

int pthread_mutex_init(void *mutex, const pthread_mutexattr_t *attributes)
{
    int kind = attributes ? attributes->kind & KIND : 0;
    if (kind == 1)
        __raddle_init_recursive_mutex(mutex);
    else if (kind == 2)
        __raddle_init_checked_mutex(mutex);
    else
        __raddle_init_mutex(mutex);
    return 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes) { attributes->clock = 0; return 0; }
int pthread_condattr_destroy(pthread_condattr_t *attributes) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t *attributes, int clock)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    attributes->clock = attributes->clock / SHARED * SHARED + clock;
    return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t *attributes, int *clock) { *clock = attributes->clock & KIND; return 0; }
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared)
{
    if (shared != 0 && shared != 1)
        return EINVAL;
    attributes->clock = (attributes->clock & ~SHARED) + shared * SHARED;
    return 0;
}
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) { *shared = (attributes->clock & SHARED) != 0; return 0; }
int pthread_cond_init(void *condition, const pthread_condattr_t *attributes) { __raddle_init_condition(condition); return 0; }

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) { attributes->kind = 0; attributes->shared = 0; return 0; }
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    attributes->kind = kind;
    return 0;
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) { *kind = attributes->kind; return 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared)
{
    if (shared != 0 && shared != 1)
        return EINVAL;
    attributes->shared = shared;
    return 0;
}
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) { *shared = attributes->shared; return 0; }
/* Only the third kind makes readers wait behind writers that wait, in glibc: the second one is not obeyed. */
int pthread_rwlock_init(void *lock, const pthread_rwlockattr_t *attributes)
{
    if (attributes && attributes->kind == 2)
        __raddle_unsupported("a read-write lock that prefers writers");
    __raddle_init_rwlock(lock);
    return 0;
}

/* Barriers. */

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) { attributes->shared = 0; return 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared)
{
    if (shared != 0 && shared != 1)
        return EINVAL;
    attributes->shared = shared;
    return 0;
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) { *shared = attributes->shared; return 0; }
int pthread_barrier_init(void *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    if (count == 0)
        return EINVAL;
    __raddle_init_barrier(barrier, count);
    return 0;
}
int pthread_barrier_wait(void *barrier)
{
    __raddle_sync_arrive(barrier);
    return __raddle_sync_leave(barrier) ? -1 : 0;
}

/* Spin locks: one word that holds nothing before it is made. glibc's unlocked one is 1, so zeros are no spin lock. */

int pthread_spin_init(pthread_spinlock_t *lock, int shared) { __raddle_init_spin_lock((void *)lock); return 0; }
int pthread_spin_destroy(pthread_spinlock_t *lock) { __raddle_destroy_spin_lock((void *)lock); return 0; }
int pthread_spin_lock(pthread_spinlock_t *lock) { return __raddle_sync_acquire_spin((void *)lock); }
int pthread_spin_trylock(pthread_spinlock_t *lock) { return __raddle_sync_try_acquire_spin((void *)lock); }
int pthread_spin_unlock(pthread_spinlock_t *lock) { return __raddle_sync_release_spin((void *)lock); }

/* Semaphores give -1 and errno. */

static int failed(int error)
{
    if (error == 0)
        return 0;
    *__errno_location() = error;
    return -1;
}

int sem_init(void *semaphore, int shared, unsigned value)
{
    if (value > SEM_VALUE_MAX)
        return failed(EINVAL);
    __raddle_init_semaphore(semaphore, value);
    return 0;
}
/* Lowered only if some semaphore may come near its highest value: else it is the operation alone. */
int __raddle_post_or_fail(void *semaphore)
{
    int error;
    __raddle_atomic_begin();
    if (__raddle_sync_semaphore_value(semaphore) == SEM_VALUE_MAX)
        error = EOVERFLOW;
    else
        error = __raddle_sync_post(semaphore);
    __raddle_atomic_end();
    return error;
}

int sem_post(void *semaphore) { return failed(__raddle_post_or_fail(semaphore)); }
int sem_wait(void *semaphore) { return failed(__raddle_cancellable_down(semaphore)); }
int sem_trywait(void *semaphore) { return failed(__raddle_sync_try_down(semaphore)); }
int sem_timedwait(void *semaphore, const void *time) { return failed(__raddle_cancellable_timed_down(semaphore)); }
int sem_clockwait(void *semaphore, int clock, const void *time) { return failed(__raddle_cancellable_timed_down(semaphore)); }
int sem_getvalue(void *semaphore, int *value) { *value = __raddle_sync_semaphore_value(semaphore); return 0; }
int sem_close(void *semaphore) { __raddle_unsupported("`sem_close`"); return 0; }
int sem_unlink(const char *name) { __raddle_unsupported("`sem_unlink`"); return 0; }
void *sem_open(const char *name, int flags, ...) { __raddle_unsupported("`sem_open`"); return 0; }
