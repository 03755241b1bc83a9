// How a process ends: abort, exit with the functions that run before it, failed assertions.

typedef __typeof__(sizeof 0) size_t;

_Noreturn void __raddle_exit(int status);
_Noreturn void __raddle_abort(void);
_Noreturn void __raddle_assert_fail(const char *message);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_unsupported(const char *what);
void __raddle_call_destructors(void);

_Noreturn void abort(void) {
    __raddle_abort();
}

_Noreturn void _exit(int status) {
    __raddle_exit(status);
}

_Noreturn void _Exit(int status) {
    __raddle_exit(status);
}

struct at_exit {
    // One of the three is not null.
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
};

// One more than the 32 that POSIX asks for: the destructors of the program take one.
enum { SLOTS = 33 };

static struct at_exit exit_functions[SLOTS];
static int exit_count;

// The table is locked in the C library; here one step stands for the lock and what it guards.
static int add(void (*plain)(void), void (*with_argument)(void *), void (*with_status)(int, void *), void *argument) {
    __raddle_atomic_begin();
    int slot = exit_count;
    if (slot < SLOTS) {
        exit_functions[slot].plain = plain;
        exit_functions[slot].with_argument = with_argument;
        exit_functions[slot].with_status = with_status;
        exit_functions[slot].argument = argument;
        exit_count = slot + 1;
    }
    __raddle_atomic_end();
    if (slot == SLOTS)
        __raddle_unsupported("more than 32 functions for `atexit`");
    return 0;
}

int atexit(void (*function)(void)) {
    return add(function, 0, 0, 0);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    return add(0, function, 0, argument);
}

int on_exit(void (*function)(int, void *), void *argument) {
    return add(0, 0, function, argument);
}

// The destructors are the first function to be called at the end, so they come last, and only once.
static void run_destructors(void) {
    __raddle_call_destructors();
}

void __raddle_begin_process(void) {
    add(run_destructors, 0, 0, 0);
}

_Noreturn void exit(int status) {
    for (;;) {
        struct at_exit next;
        __raddle_atomic_begin();
        int count = exit_count;
        if (count) {
            exit_count = count - 1;
            next = exit_functions[count - 1];
        }
        __raddle_atomic_end();
        if (!count)
            __raddle_exit(status);
        if (next.plain)
            next.plain();
        else if (next.with_argument)
            next.with_argument(next.argument);
        else
            next.with_status(status, next.argument);
    }
}

static void (*quick_functions[SLOTS])(void);
static int quick_count;

int at_quick_exit(void (*function)(void)) {
    __raddle_atomic_begin();
    int slot = quick_count;
    if (slot < SLOTS) {
        quick_functions[slot] = function;
        quick_count = slot + 1;
    }
    __raddle_atomic_end();
    if (slot == SLOTS)
        __raddle_unsupported("more than 32 functions for `at_quick_exit`");
    return 0;
}

_Noreturn void quick_exit(int status) {
    for (;;) {
        void (*next)(void) = 0;
        __raddle_atomic_begin();
        int count = quick_count;
        if (count) {
            quick_count = count - 1;
            next = quick_functions[count - 1];
        }
        __raddle_atomic_end();
        if (!count)
            __raddle_exit(status);
        next();
    }
}

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
    __raddle_assert_fail("assertion");
}

_Noreturn void __assert(const char *assertion, const char *file, int line) {
    __raddle_assert_fail("assertion");
}

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
    __raddle_assert_fail("assertion of an error number");
}

// What glibc does when a checked function such as `__memcpy_chk` finds an overflow.
_Noreturn void __chk_fail(void) {
    __raddle_abort();
}

_Noreturn void __stack_chk_fail(void) {
    __raddle_abort();
}
