// Who runs the program, with what limits, and advice about memory.

typedef __typeof__(sizeof 0) size_t;

void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
_Bool __raddle_assuming(const char *what);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
int *__errno_location(void);
int getpid(void);

enum { EINVAL = 22 };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

static unsigned user(void) {
    if (!__raddle_assuming("an ordinary user (1000)"))
        __raddle_unsupported("the number of the user");
    return 1000;
}

unsigned getuid(void) {
    return user();
}

unsigned geteuid(void) {
    return user();
}

unsigned getgid(void) {
    return user();
}

unsigned getegid(void) {
    return user();
}

int getppid(void) {
    if (!__raddle_assuming("a process whose parent is 1"))
        __raddle_unsupported("the number of the parent process");
    return 1;
}

int getpgrp(void) {
    return getpid();
}

int setsid(void) {
    __raddle_unsupported("`setsid`");
    return 0;
}

// As a shell on GNU/Linux has them, unless the program changes them.
struct limit {
    unsigned long soft, hard;
};

enum { LIMITS = 16, STACK = 3, CORE = 4, FILES = 7 };

static struct limit limits[LIMITS];
static _Bool is_set[LIMITS];

static struct limit limit_of(int resource) {
    struct limit limit = {-1ul, -1ul};
    if (resource == STACK)
        limit.soft = 8 << 20;
    else if (resource == CORE)
        limit.soft = 0;
    else if (resource == FILES) {
        limit.soft = 1024;
        limit.hard = 1 << 20;
    }
    return limit;
}

int getrlimit(int resource, struct limit *result) {
    if (resource < 0 || resource >= LIMITS)
        return failed(EINVAL);
    if (!__raddle_assuming("the usual limits of a process"))
        __raddle_unsupported("`getrlimit`");
    struct limit limit = limit_of(resource);
    __raddle_atomic_begin();
    if (is_set[resource])
        limit = limits[resource];
    __raddle_atomic_end();
    *result = limit;
    return 0;
}

int setrlimit(int resource, const struct limit *wanted) {
    struct limit limit = *wanted, now;
    if (limit.soft > limit.hard)
        return failed(EINVAL);
    if (getrlimit(resource, &now))
        return -1;
    if (limit.hard > now.hard)
        return failed(1);
    __raddle_atomic_begin();
    limits[resource] = limit;
    is_set[resource] = 1;
    __raddle_atomic_end();
    return 0;
}

const char *gnu_get_libc_version(void) {
    if (!__raddle_assuming("glibc 2.36"))
        __raddle_unsupported("`gnu_get_libc_version`");
    return "2.36";
}

const char *gnu_get_libc_release(void) {
    return "stable";
}

// Memory stays where it is.

int mlock(const void *address, size_t bytes) {
    return 0;
}

int mlock2(const void *address, size_t bytes, unsigned flags) {
    return 0;
}

int munlock(const void *address, size_t bytes) {
    return 0;
}

int mlockall(int flags) {
    return 0;
}

int munlockall(void) {
    return 0;
}

// Only advice that changes no byte: not `MADV_DONTNEED` and its like.
static _Bool is_harmless(int advice) {
    return (advice >= 0 && advice <= 3) || (advice >= 12 && advice <= 17);
}

int madvise(void *address, size_t bytes, int advice) {
    if (!is_harmless(advice))
        __raddle_unsupported("advice that changes memory");
    // Only what lies at the beginning of a page takes advice.
    return __raddle_any_bool() ? failed(EINVAL) : 0;
}

int posix_madvise(void *address, size_t bytes, int advice) {
    return advice >= 0 && advice <= 4 ? 0 : EINVAL;
}

int malloc_trim(size_t keep) {
    return 0;
}

int mallopt(int parameter, int value) {
    return 1;
}

// Bytes from the system's source of chance.

static void any_bytes(unsigned char *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = __raddle_any_byte();
}

long getrandom(void *to, size_t count, unsigned flags) {
    any_bytes(to, count);
    return count;
}

int getentropy(void *to, size_t count) {
    if (count > 256)
        return failed(5);
    any_bytes(to, count);
    return 0;
}

void arc4random_buf(void *to, size_t count) {
    any_bytes(to, count);
}
