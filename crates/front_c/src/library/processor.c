// What processors know that C does not.

struct timespec {
    long tv_sec;
    long tv_nsec;
};

int clock_gettime(int clock, struct timespec *result);
void __raddle_assume(int condition);

// The time stamp counter counts on, as the monotonic clock does. It is not known how fast, and so it counts
// nanoseconds, for less than three hundred years.
unsigned long long __builtin_ia32_rdtsc(void) {
    struct timespec now;
    clock_gettime(1, &now);
    __raddle_assume(now.tv_sec < 9000000000l);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// The number of the processor may be any.
unsigned __raddle_any_processor(void);
unsigned long long __builtin_ia32_rdtscp(unsigned *processor) {
    *processor = __raddle_any_processor();
    return __builtin_ia32_rdtsc();
}
