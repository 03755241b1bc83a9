// sched.h, sys/prctl.h and what pthread.h says of processors, priorities and names: taken, remembered, without effect.

typedef __typeof__(sizeof 0) size_t;

void __raddle_unsupported(const char *what);
void __raddle_assume(int condition);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
int __raddle_any_int(void);
int __raddle_is_own_name(unsigned long thread);
int *__errno_location(void);
long sysconf(int name);

enum { EINVAL = 22, ERANGE = 34, PROCESSORS = 84 };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

// Every thread may run on every processor, unless somebody said otherwise.
static _Bool is_bound;

static int bind(void) {
    __raddle_atomic_begin();
    is_bound = 1;
    __raddle_atomic_end();
    return 0;
}

static int affinity(size_t size, unsigned char *set) {
    __raddle_atomic_begin();
    _Bool is_unknown = is_bound;
    __raddle_atomic_end();
    if (is_unknown)
        __raddle_unsupported("the processors of threads after some were chosen");
    long count = sysconf(PROCESSORS);
    if (size % sizeof(long) || size * 8 < (size_t)count)
        return EINVAL;
    for (size_t i = 0; i < size; i++) {
        long left = count - (long)i * 8;
        set[i] = left >= 8 ? 255 : left > 0 ? (1 << left) - 1 : 0;
    }
    return 0;
}

int sched_getaffinity(int thread, size_t size, void *set) {
    int error = affinity(size, set);
    return error ? failed(error) : 0;
}

int pthread_getaffinity_np(unsigned long thread, size_t size, void *set) {
    return affinity(size, set);
}

int sched_setaffinity(int thread, size_t size, const void *set) {
    return bind();
}

int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
    return bind();
}

int pthread_attr_setaffinity_np(void *attributes, size_t size, const void *set) {
    return bind();
}

int sched_getcpu(void) {
    int processor = __raddle_any_int();
    __raddle_assume(processor >= 0 && processor < sysconf(PROCESSORS));
    return processor;
}

int __sched_cpucount(size_t size, const void *set) {
    const unsigned char *bytes = set;
    int count = 0;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++)
            count += bytes[i] >> bit & 1;
    return count;
}

void *calloc(size_t count, size_t size);
void free(void *object);

void *__sched_cpualloc(size_t count) {
    size_t word = 8 * sizeof(long);
    return calloc((count + word - 1) / word, sizeof(long));
}

void __sched_cpufree(void *set) {
    free(set);
}

// Policies: 0 is the ordinary one, 1 and 2 have priorities from 1 to 99, 3 and 5 none.

int sched_get_priority_max(int policy) {
    if (policy == 1 || policy == 2)
        return 99;
    return policy == 0 || policy == 3 || policy == 5 || policy == 6 ? 0 : failed(EINVAL);
}

int sched_get_priority_min(int policy) {
    if (policy == 1 || policy == 2)
        return 1;
    return policy == 0 || policy == 3 || policy == 5 || policy == 6 ? 0 : failed(EINVAL);
}

int sched_getscheduler(int process) {
    return 0;
}

int sched_getparam(int process, int *priority) {
    *priority = 0;
    return 0;
}

// Whoever is no administrator may not have a priority.
int sched_setscheduler(int process, int policy, const int *priority) {
    return policy == 0 || policy == 3 || policy == 5 ? 0 : failed(1);
}

int sched_setparam(int process, const int *priority) {
    return *priority == 0 ? 0 : failed(EINVAL);
}

int pthread_getschedparam(unsigned long thread, int *policy, int *priority) {
    *policy = 0;
    *priority = 0;
    return 0;
}

int pthread_setschedprio(unsigned long thread, int priority) {
    return priority == 0 ? 0 : EINVAL;
}

int pthread_attr_getschedparam(const void *attributes, int *priority) {
    *priority = 0;
    return 0;
}

int pthread_getconcurrency(void) {
    return 0;
}

int getpriority(int which, unsigned who) {
    return 0;
}

int setpriority(int which, unsigned who, int priority) {
    return 0;
}

// A mutex that is not robust is always consistent.
int pthread_mutex_consistent(void *mutex) {
    return EINVAL;
}

int pthread_mutex_consistent_np(void *mutex) {
    return EINVAL;
}

// Nobody forks.
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    return 0;
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library) {
    return 0;
}

// Names. A thread that has none of its own has that of its maker, which is not kept track of.

enum { ROOM = 16 };

static __thread char own_name[ROOM];
static __thread _Bool has_own_name;
static _Bool others_named;

int pthread_setname_np(unsigned long thread, const char *name) {
    int length = 0;
    while (length < ROOM && name[length])
        length++;
    if (length == ROOM)
        return ERANGE;
    if (__raddle_is_own_name(thread)) {
        for (int i = 0; i <= length; i++)
            own_name[i] = name[i];
        has_own_name = 1;
    } else {
        __raddle_atomic_begin();
        others_named = 1;
        __raddle_atomic_end();
    }
    return 0;
}

static void copy_own_name(char *to) {
    __raddle_atomic_begin();
    _Bool is_unknown = others_named;
    __raddle_atomic_end();
    if (is_unknown || !has_own_name)
        __raddle_unsupported("the name of a thread that it did not give itself");
    for (int i = 0; i < ROOM; i++) {
        to[i] = own_name[i];
        if (!own_name[i])
            break;
    }
}

int pthread_getname_np(unsigned long thread, char *to, size_t room) {
    if (room < ROOM)
        return ERANGE;
    if (!__raddle_is_own_name(thread))
        __raddle_unsupported("the name of another thread");
    copy_own_name(to);
    return 0;
}

enum {
    PR_SET_PDEATHSIG = 1,
    PR_GET_DUMPABLE = 3,
    PR_SET_DUMPABLE = 4,
    PR_SET_NAME = 15,
    PR_GET_NAME = 16,
    PR_SET_TIMERSLACK = 29,
    PR_SET_CHILD_SUBREAPER = 36,
    PR_SET_NO_NEW_PRIVS = 38,
    PR_SET_PTRACER = 0x59616d61
};

int prctl(int option, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, option);
    char *name = option == PR_SET_NAME || option == PR_GET_NAME ? __builtin_va_arg(arguments, char *) : 0;
    __builtin_va_end(arguments);
    switch (option) {
    case PR_SET_NAME:
        for (int i = 0; i < ROOM - 1; i++) {
            own_name[i] = name[i];
            if (!name[i])
                break;
        }
        has_own_name = 1;
        return 0;
    case PR_GET_NAME:
        copy_own_name(name);
        return 0;
    case PR_GET_DUMPABLE:
        return 1;
    case PR_SET_PDEATHSIG:
    case PR_SET_DUMPABLE:
    case PR_SET_TIMERSLACK:
    case PR_SET_CHILD_SUBREAPER:
    case PR_SET_NO_NEW_PRIVS:
    case PR_SET_PTRACER:
        return 0;
    }
    __raddle_unsupported("an uncommon option of `prctl`");
    return 0;
}
