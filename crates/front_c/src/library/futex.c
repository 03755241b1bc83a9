// Futexes: words of memory, and threads that wait until somebody wakes them at the address of one.
// The checker puts `__raddle_futex` in the place of `syscall(SYS_futex, …)`.
// The look at the word is all that orders anything: the fences say that sections are meant as they are written.

int *__errno_location(void);
_Bool __raddle_any_bool(void);
void __raddle_assume(int condition);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_unsupported(const char *what);

enum { EAGAIN = 11, EINVAL = 22, ETIMEDOUT = 110 };
enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, FLAGS = 128 | 256 };
enum { WAITERS = 16 };
// Of who does not say which.
enum { ALL_BITS = ~0 };

// Whose address is null is free.
static struct {
    const void *address;
    unsigned bits;
    int is_woken;
} waiters[WAITERS];
// Slots behind this were never used.
static int used;

static long failed(int error) {
    *__errno_location() = error;
    return -1;
}

// Looks and lies down in one step. A wait may end although nobody wakes it, as the kernel says; who waits for ever
// nevertheless is in a deadlock. One with a time ends when it likes.
static long wait(const unsigned *address, unsigned value, const void *time, unsigned bits) {
    int slot = 0, is_equal, is_woken;
    __raddle_atomic_begin();
    __atomic_thread_fence(0);
    is_equal = __atomic_load_n(address, 5) == value;
    if (is_equal) {
        while (slot < used && waiters[slot].address)
            slot++;
        if (slot < WAITERS) {
            if (slot == used)
                used = slot + 1;
            waiters[slot].address = address;
            waiters[slot].bits = bits;
            waiters[slot].is_woken = 0;
        }
    }
    __raddle_atomic_end();
    if (!is_equal)
        return failed(EAGAIN);
    if (slot == WAITERS)
        __raddle_unsupported("more than 16 threads that wait for futexes");
    int is_patient = time == 0 && !__raddle_any_bool();
    __raddle_atomic_begin();
    __atomic_thread_fence(0);
    is_woken = waiters[slot].is_woken;
    __raddle_assume(is_woken || !is_patient);
    waiters[slot].address = 0;
    __raddle_atomic_end();
    return is_woken || time == 0 ? 0 : failed(ETIMEDOUT);
}

// Whether a slot is that of a thread that is to be woken by some of these bits.
static int is_meant(int slot, const unsigned *address, unsigned bits) {
    return waiters[slot].address == address && !waiters[slot].is_woken && waiters[slot].bits & bits;
}

// Nobody knows which ones of those that wait are woken. As many as are asked for, and one if none is.
static long wake(const unsigned *address, int count, unsigned bits) {
    int waiting = 0, left;
    if (count < 1)
        count = 1;
    __raddle_atomic_begin();
    __atomic_thread_fence(0);
    for (int slot = 0; slot < used; slot++)
        waiting += is_meant(slot, address, bits) != 0;
    count = waiting < count ? waiting : count;
    left = count;
    for (int slot = 0; slot < used && left; slot++) {
        if (!is_meant(slot, address, bits))
            continue;
        if (left == waiting || __raddle_any_bool()) {
            waiters[slot].is_woken = 1;
            left--;
        }
        waiting--;
    }
    __raddle_atomic_end();
    return count;
}

long __raddle_futex(unsigned *address, int operation, unsigned value, const void *time, unsigned *other, unsigned bits) {
    switch (operation & ~FLAGS) {
    case WAIT:
        return wait(address, value, time, ALL_BITS);
    case WAKE:
        return wake(address, value, ALL_BITS);
    case WAIT_BITSET:
    case WAKE_BITSET:
        if (bits == 0)
            return failed(EINVAL);
        return (operation & ~FLAGS) == WAIT_BITSET ? wait(address, value, time, bits) : wake(address, value, bits);
    default:
        __raddle_unsupported("this operation on a futex");
        return failed(EINVAL);
    }
}
