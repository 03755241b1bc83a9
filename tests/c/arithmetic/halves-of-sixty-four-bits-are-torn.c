//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the reader comes between the two halves and sees a number that nobody wrote
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned halves[2];
static unsigned long seen;

static void *read(void *unused) {
    unsigned long low = __atomic_load_n(&halves[0], __ATOMIC_SEQ_CST);
    unsigned long high = __atomic_load_n(&halves[1], __ATOMIC_SEQ_CST);
    seen = high << 32 | low;
    return unused;
}

int main(void) {
    pthread_t reader;
    unsigned long value = __VERIFIER_nondet_ulong();
    if (value * 0x9e3779b97f4a7c15ul != 0x0123456789abcdeful)
        return 0;
    pthread_create(&reader, NULL, read, NULL);
    __atomic_store_n(&halves[0], (unsigned)value, __ATOMIC_SEQ_CST);
    __atomic_store_n(&halves[1], (unsigned)(value >> 32), __ATOMIC_SEQ_CST);
    pthread_join(reader, NULL);
    assert(seen == 0 || seen == value);
    return 0;
}
