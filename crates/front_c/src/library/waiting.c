// poll and select. Whoever waits for a time may be late, so it looks once, whenever its turn comes: what was not ready then
// was not ready in time. Who waits without a limit waits.

typedef __typeof__(sizeof 0) size_t;

struct timeval {
    long seconds, microseconds;
};

struct timespec {
    long seconds, nanoseconds;
};

void *__raddle_allocate(size_t bytes);
void __raddle_free(void *object);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_assume(int condition);
void __raddle_unsupported(const char *what);
void __raddle_test_cancel(void);
void __raddle_refuse_waiting(void);
short __raddle_ready(int descriptor, short events);
int *__errno_location(void);

enum { EBADF = 9, EINVAL = 22 };
enum { IN = 1, PRI = 2, OUT = 4, ERR = 8, HUP = 16, NVAL = 32 };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

struct pollfd {
    int descriptor;
    short events, ready;
};

// Stays as it is, so that who looks at it waits for ever.
static _Bool is_over;

// How many are ready; `asked` is the caller's own.
static int wait_for(struct pollfd *asked, size_t count, _Bool is_limited) {
    int ready = 0;
    __raddle_test_cancel();
    if (!is_limited)
        __raddle_refuse_waiting();
    __raddle_atomic_begin();
    for (size_t i = 0; i < count; i++) {
        asked[i].ready = asked[i].descriptor < 0 ? 0 : __raddle_ready(asked[i].descriptor, asked[i].events);
        ready += asked[i].ready != 0;
    }
    __raddle_assume(is_limited || ready || is_over);
    __raddle_atomic_end();
    return ready;
}

int poll(struct pollfd *descriptors, unsigned long count, int timeout) {
    struct pollfd *asked = __raddle_allocate(count * sizeof *asked);
    for (unsigned long i = 0; i < count; i++)
        asked[i] = descriptors[i];
    int ready = wait_for(asked, count, timeout >= 0);
    for (unsigned long i = 0; i < count; i++)
        descriptors[i].ready = asked[i].ready;
    __raddle_free(asked);
    return ready;
}

int __poll_chk(struct pollfd *descriptors, unsigned long count, int timeout, size_t room) {
    return poll(descriptors, count, timeout);
}

int ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout, const void *mask) {
    return poll(descriptors, count, timeout ? 0 : -1);
}

enum { WORD = 8 * sizeof(long), LAST = 1024 };

static _Bool has(const unsigned long *set, int number) {
    return set && (set[number / WORD] >> number % WORD & 1);
}

static int choose(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing, _Bool is_limited) {
    if (count < 0 || count > LAST)
        return failed(EINVAL);
    struct pollfd *asked = __raddle_allocate(count * sizeof *asked);
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        short events = (has(reading, i) ? IN : 0) | (has(writing, i) ? OUT : 0) | (has(failing, i) ? PRI : 0);
        if (events) {
            asked[found].descriptor = i;
            asked[found++].events = events;
        }
    }
    wait_for(asked, found, is_limited);
    int ready = 0;
    for (size_t i = 0; i < found && ready >= 0; i++)
        if (asked[i].ready & NVAL)
            ready = -1;
    for (size_t i = 0; i < found && ready >= 0; i++) {
        int number = asked[i].descriptor;
        unsigned long bit = 1ul << number % WORD;
        if (asked[i].events & IN) {
            if (asked[i].ready & (IN | HUP | ERR))
                ready++;
            else
                reading[number / WORD] &= ~bit;
        }
        if (asked[i].events & OUT) {
            if (asked[i].ready & (OUT | ERR))
                ready++;
            else
                writing[number / WORD] &= ~bit;
        }
        if (asked[i].events & PRI)
            failing[number / WORD] &= ~bit;
    }
    __raddle_free(asked);
    return ready < 0 ? failed(EBADF) : ready;
}

// Linux tells how much of the time was left, which nobody knows; so whoever looks sees a time that is over.
int select(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing, struct timeval *timeout) {
    if (timeout && (timeout->seconds < 0 || timeout->microseconds < 0))
        return failed(EINVAL);
    int ready = choose(count, reading, writing, failing, timeout != 0);
    if (timeout && ready == 0)
        timeout->seconds = timeout->microseconds = 0;
    return ready;
}

int pselect(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing,
            const struct timespec *timeout, const void *mask) {
    return choose(count, reading, writing, failing, timeout != 0);
}

long __fdelt_chk(long descriptor) {
    if (descriptor < 0 || descriptor >= LAST)
        __raddle_unsupported("a descriptor that no set has room for");
    return descriptor / WORD;
}

long __fdelt_warn(long descriptor) {
    return __fdelt_chk(descriptor);
}
