// Time, the scheduler, the process's own number, errno. Sleeping takes no time.

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
void __raddle_test_cancel(void);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
long __raddle_any_long(void);
int __raddle_any_int(void);
_Bool __raddle_any_bool(void);
int __raddle_leaps(void);
int __raddle_processors(void);
_Bool __raddle_assuming(const char *what);
_Noreturn void __raddle_abort(void);

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

// All clocks are one. It stands still between two looks, or leaps ahead: then whatever waits for a time has waited long
// enough. Every other time ends in the last part of a second, so that sums with it carry.
enum { BEGIN = 1700000000, LEAP = 1000003 };

static int leaps;

// How often the clock has leapt. An execution in which it would leap more often ends here.
static int look(void) {
    int most = __raddle_leaps();
    if (most == 0)
        return 0;
    __raddle_atomic_begin();
    int now = leaps + __raddle_any_bool();
    leaps = now;
    __raddle_atomic_end();
    if (now > most)
        __raddle_abort();
    return now;
}

static time_t seconds(int leaps) {
    return BEGIN + (time_t)leaps * LEAP;
}

static long fraction(int leaps, long parts) {
    return (leaps & 1) * (parts - 1);
}

time_t time(time_t *result) {
    time_t now = __raddle_leaps() < 0 ? any_up_to(LONG_LAST) : seconds(look());
    if (result)
        *result = now;
    return now;
}

double difftime(time_t later, time_t earlier) {
    return (double)later - (double)earlier;
}

// Of the time that the process has used.
clock_t clock(void) {
    if (__raddle_leaps() < 0)
        return any_up_to(LONG_LAST);
    return (clock_t)look() * 1000003;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    if (__raddle_leaps() < 0) {
        result->tv_sec = any_up_to(LONG_LAST);
        result->tv_usec = any_up_to(999999);
    } else {
        int now = look();
        result->tv_sec = seconds(now);
        result->tv_usec = fraction(now, 1000000);
    }
    return 0;
}

int clock_gettime(int clock, struct timespec *result) {
    if (__raddle_leaps() < 0) {
        result->tv_sec = any_up_to(LONG_LAST);
        result->tv_nsec = any_up_to(999999999);
    } else {
        int now = look();
        result->tv_sec = seconds(now);
        result->tv_nsec = fraction(now, 1000000000);
    }
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
    __raddle_test_cancel();
    return 0;
}

int usleep(unsigned microseconds) {
    __raddle_test_cancel();
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
    __raddle_test_cancel();
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *rest) {
    __raddle_test_cancel();
    return 0;
}

int sched_yield(void) {
    return 0;
}

int pthread_yield(void) {
    return 0;
}

// One number for the whole run.
int getpid(void) {
    if (__raddle_assuming("the process number 1000"))
        return 1000;
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

static long processors(void) {
    int known = __raddle_processors();
    return known ? known : 1 + any_up_to(0x7ffffffe);
}

int get_nprocs(void) {
    return processors();
}

int get_nprocs_conf(void) {
    return processors();
}

long sysconf(int name) {
    switch (name) {
    case 2: // _SC_CLK_TCK
        return 100;
    case 30: // _SC_PAGESIZE
        return 4096;
    case 83: // _SC_NPROCESSORS_CONF
    case 84: // _SC_NPROCESSORS_ONLN
        return processors();
    case 67:  // _SC_THREADS
    case 149: // _SC_MONOTONIC_CLOCK
        return 200809;
    case 75: // _SC_THREAD_STACK_MIN
        return 16384;
    case 190: // _SC_LEVEL1_DCACHE_LINESIZE
        return 64;
    }
    __raddle_unsupported("`sysconf` of something else than pages, processors, threads and clocks");
    return 0;
}

// By this name the C library's own headers ask.
long __sysconf(int name) {
    return sysconf(name);
}

int getpagesize(void) {
    return 4096;
}
