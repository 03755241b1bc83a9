// Time, the scheduler, the process's own number, errno. What time it is, nobody knows; sleeping takes no time.

typedef long time_t;
typedef long clock_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

void __raddle_assume(int condition);
void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
long __raddle_any_long(void);
int __raddle_any_int(void);
_Bool __raddle_any_bool(void);

int *__errno_location(void) {
    static __thread int number;
    return &number;
}

static long any_up_to(long last) {
    long value = __raddle_any_long();
    __raddle_assume(value >= 0 && value <= last);
    return value;
}

static const long LONG_LAST = (unsigned long)-1 / 2;

time_t time(time_t *result) {
    time_t now = any_up_to(LONG_LAST);
    if (result)
        *result = now;
    return now;
}

double difftime(time_t later, time_t earlier) {
    return (double)later - (double)earlier;
}

clock_t clock(void) {
    return any_up_to(LONG_LAST);
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    result->tv_sec = any_up_to(LONG_LAST);
    result->tv_usec = any_up_to(999999);
    return 0;
}

int clock_gettime(int clock, struct timespec *result) {
    result->tv_sec = any_up_to(LONG_LAST);
    result->tv_nsec = any_up_to(999999999);
    return 0;
}

int clock_getres(int clock, struct timespec *result) {
    if (result) {
        result->tv_sec = 0;
        result->tv_nsec = 1;
    }
    return 0;
}

int timespec_get(struct timespec *result, int base) {
    clock_gettime(0, result);
    return base;
}

unsigned sleep(unsigned seconds) {
    return 0;
}

int usleep(unsigned microseconds) {
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *rest) {
    return 0;
}

int sched_yield(void) {
    return 0;
}

int pthread_yield(void) {
    return 0;
}

// One number, unknown, for the whole run.
int getpid(void) {
    static int own;
    __raddle_atomic_begin();
    if (own == 0) {
        own = __raddle_any_int();
        __raddle_assume(own > 0);
    }
    int number = own;
    __raddle_atomic_end();
    return number;
}

int isatty(int descriptor) {
    if (__raddle_any_bool())
        return 1;
    *__errno_location() = 25;
    return 0;
}

long sysconf(int name) {
    switch (name) {
    case 30: // _SC_PAGESIZE
        return 4096;
    case 83: // _SC_NPROCESSORS_CONF
    case 84: // _SC_NPROCESSORS_ONLN
        return 1 + any_up_to(0x7ffffffe);
    }
    __raddle_unsupported("`sysconf` of something else than pages and processors");
    return 0;
}

int getpagesize(void) {
    return 4096;
}
