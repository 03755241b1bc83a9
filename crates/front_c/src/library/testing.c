/* What `raddle.h` offers to tests, as far as it is more than a name. The header itself only declares it. */

typedef unsigned long size_t;
typedef unsigned long pthread_t;

void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_assume(int condition);
void __raddle_unsupported(const char *what);
_Bool __raddle_any_bool(void);
char __raddle_any_char(void);
int __raddle_any_int(void);
unsigned __raddle_any_unsigned(void);
long __raddle_any_long(void);
unsigned long __raddle_any_size(void);
int pthread_create(pthread_t *thread, const void *attributes, void *(*function)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);

void raddle_assume(int condition) { __raddle_assume(condition != 0); }

/* What is chosen and what it must be are one step, so that nobody sees a choice that is dropped. */

int raddle_any_int(int least, int most)
{
    int value = __raddle_any_int();
    __raddle_assume(least <= value && value <= most);
    return value;
}

unsigned raddle_any_unsigned(unsigned least, unsigned most)
{
    unsigned value = __raddle_any_unsigned();
    __raddle_assume(least <= value && value <= most);
    return value;
}

long raddle_any_long(long least, long most)
{
    long value = __raddle_any_long();
    __raddle_assume(least <= value && value <= most);
    return value;
}

size_t raddle_any_size(size_t least, size_t most)
{
    size_t value = __raddle_any_size();
    __raddle_assume(least <= value && value <= most);
    return value;
}

_Bool raddle_any_bool(void) { return __raddle_any_bool(); }

void raddle_any_bytes(void *object, size_t size)
{
    for (size_t at = 0; at < size; at++)
        ((char *)object)[at] = __raddle_any_char();
}

/* The threads of a test. Any thread may start one and join one, so all of this is atomic: sections would leave open what they
   order, and locks would order more than `pthread_create` does wherever two threads start others. */

enum { MOST_THREADS = 64, BY_TEST = 1, AT_END = 2, SEQ_CST = 5 };
static pthread_t started[MOST_THREADS];
static unsigned char joined[MOST_THREADS];
static int started_count;

pthread_t raddle_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, 0, function, argument);
    int at = __atomic_fetch_add(&started_count, 1, SEQ_CST);
    if (at >= MOST_THREADS)
        __raddle_unsupported("more than 64 threads of `raddle_thread` in a test");
    __atomic_store_n(&started[at], thread, SEQ_CST);
    return thread;
}

void *raddle_join(pthread_t thread)
{
    void *result = 0;
    int count = __atomic_load_n(&started_count, SEQ_CST);
    for (int at = 0; at < count; at++)
        if (__atomic_load_n(&started[at], SEQ_CST) == thread)
            if (__atomic_exchange_n(&joined[at], BY_TEST, SEQ_CST) == AT_END)
                __raddle_unsupported("`raddle_join` in a thread when the test has returned");
    pthread_join(thread, &result);
    return result;
}

/* At the end of a test. Others may still start threads, and one that is started may not be noted yet; but whoever is to note it
   still runs, and so on up to one that is noted. So each round comes by a thread to join, until there is none. */
void raddle_join_all(void)
{
    int at, count;
    do {
        count = __atomic_load_n(&started_count, SEQ_CST);
        for (at = 0; at < count; at++) {
            pthread_t thread = __atomic_load_n(&started[at], SEQ_CST);
            if (thread && !__atomic_load_n(&joined[at], SEQ_CST)
                && !__atomic_exchange_n(&joined[at], AT_END, SEQ_CST))
                pthread_join(thread, 0);
        }
        for (at = 0; at < count && __atomic_load_n(&joined[at], SEQ_CST); at++)
            continue;
    } while (at < count || count != __atomic_load_n(&started_count, SEQ_CST));
}

int raddle_enter_atomic(void)
{
    __raddle_atomic_begin();
    return 1;
}

void raddle_leave_atomic(int *is_inside)
{
    (void)is_inside;
    __raddle_atomic_end();
}
