//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     compiled by gcc and run on x86-64, every assertion holds
#include <assert.h>
#include <stdint.h>
#include <stdbool.h>

static uint64_t q;
static uint32_t l;
static uint16_t w;
static uint8_t b;

static bool dec_and_test(uint32_t *at) {
    unsigned char zero;
    __asm__ volatile("lock; decl %0; setz %1" : "+m"(*at), "=qm"(zero) : : "memory");
    return zero;
}

static bool sub_and_test(int by, uint32_t *at) {
    bool zero;
    __asm__ volatile("lock; subl %2, %0" : "+m"(*at), "=@ccz"(zero) : "er"(by) : "memory");
    return zero;
}

static bool add_negative(int by, uint32_t *at) {
    bool sign;
    __asm__ volatile("lock; addl %2, %0; sets %1" : "+m"(*at), "=q"(sign) : "ir"(by) : "memory");
    return sign;
}

static bool test_and_set(long bit, uint64_t *at) {
    bool old;
    __asm__ volatile("lock; btsq %2, %1; setc %0" : "=q"(old), "+m"(*at) : "r"(bit) : "memory");
    return old;
}

static int test_and_clear(long bit, uint64_t *at) {
    int old;
    __asm__ volatile("lock; btrq %2, %1; sbbl %0, %0" : "=r"(old), "+m"(*at) : "Ir"(bit) : "memory");
    return old;
}

static uint16_t exchange(uint16_t *at, uint16_t value) {
    __asm__ volatile("xchgw %0, %1" : "=r"(value) : "m"(*at), "0"(value) : "memory");
    return value;
}

static uint8_t compare_and_swap(uint8_t *at, uint8_t old, uint8_t new) {
    uint8_t before;
    __asm__ volatile("lock; cmpxchgb %b1, %2" : "=a"(before) : "q"(new), "m"(*at), "0"(old) : "memory");
    return before;
}

static uint64_t through_a_pointer(uint64_t *at, uint64_t by) {
    __asm__ volatile("lock xaddq %0, (%1)" : "+r"(by) : "r"(at) : "memory", "cc");
    return by;
}

static uint64_t last_bit(uint64_t value) {
    uint64_t result;
    __asm__("bsrq %1, %0" : "=r"(result) : "rm"(value));
    return result;
}

static uint32_t first_bit(uint32_t value) {
    uint32_t result = 77;
    __asm__("bsfl %1, %0" : "+r"(result) : "rm"(value) : "cc");
    return result;
}

static uint32_t bitwise(uint32_t *at) {
    __asm__ volatile("lock orl %1, %0" : "+m"(*at) : "ir"(0xf0) : "memory");
    __asm__ volatile("lock andl %1, %0" : "+m"(*at) : "ir"(0x3f) : "memory");
    __asm__ volatile("lock xorl %1, %0" : "+m"(*at) : "r"(0x11) : "memory");
    __asm__ volatile("lock notl %0" : "+m"(*at) : : "memory");
    __asm__ volatile("lock incl %0" : "+m"(*at) : : "memory");
    uint32_t value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at));
    return value;
}

static bool cas_two(uint64_t pair[2], uint64_t expected[2], uint64_t low, uint64_t high) {
    bool done;
    __asm__ volatile("lock cmpxchg16b %0; setz %1"
                     : "+m"(*(uint64_t(*)[2])pair), "=q"(done), "+a"(expected[0]), "+d"(expected[1])
                     : "b"(low), "c"(high)
                     : "memory", "cc");
    return done;
}

int main(void) {
    l = 2;
    assert(!dec_and_test(&l) && l == 1);
    assert(dec_and_test(&l) && l == 0);
    l = 5;
    assert(!sub_and_test(4, &l) && sub_and_test(1, &l));
    l = 1;
    assert(!add_negative(-1, &l) && add_negative(-1, &l) && l == 0xffffffff);
    uint64_t words[2] = {0, 0};
    assert(!test_and_set(3, words) && test_and_set(3, words) && words[0] == 8);
    assert(!test_and_set(65, words) && words[1] == 2 && !test_and_set(-64, words + 1) && words[0] == 9);
    assert(test_and_clear(3, words) == -1 && test_and_clear(3, words) == 0 && words[0] == 1);
    w = 7;
    assert(exchange(&w, 300) == 7 && w == 300);
    b = 200;
    assert(compare_and_swap(&b, 199, 1) == 200 && b == 200);
    assert(compare_and_swap(&b, 200, 1) == 200 && b == 1);
    q = 1ull << 40;
    assert(through_a_pointer(&q, 2) == 1ull << 40 && q == (1ull << 40) + 2);
    assert(last_bit(q) == 40 && first_bit(48) == 4 && first_bit(0) == 77);
    l = 1;
    assert(bitwise(&l) == 0xffffffe0);
    uint64_t pair[2] __attribute__((aligned(16))) = {1, 2}, expected[2] = {1, 3};
    assert(!cas_two(pair, expected, 5, 6) && expected[1] == 2);
    assert(cas_two(pair, expected, 5, 6) && pair[0] == 5 && pair[1] == 6);
    return 0;
}
