// transcendental.c against glibc: what ours says for certain, glibc says too.

#include "compare.h"
#include <math.h>

OUR(exp); OUR(exp2); OUR(expm1); OUR(pow); OUR(log); OUR(log10); OUR(log2); OUR(log1p);
OUR(sin); OUR(cos); OUR(tan); OUR(asin); OUR(acos); OUR(atan); OUR(atan2);
OUR(sinh); OUR(cosh); OUR(tanh); OUR(asinh); OUR(acosh); OUR(atanh); OUR(cbrt); OUR(hypot);
OUR(remainder); OUR(drem); OUR(logb);
OUR(expf); OUR(exp2f); OUR(powf); OUR(logf); OUR(log10f); OUR(log2f); OUR(sinf); OUR(cosf); OUR(tanf);
OUR(asinf); OUR(acosf); OUR(atanf); OUR(tanhf); OUR(cbrtf);

// What is not certain is not compared, but for `errno`.
static int is_approximate;

double our___raddle_any_double(void) {
    is_approximate = 1;
    return 1;
}

static int certain, approximate, refused;

static int are_same(double ours, double theirs) {
    return ours != ours ? theirs != theirs : ours == theirs && signbit(ours) == signbit(theirs);
}

#define SAME(type, name, ...)                                                                                       \
    do {                                                                                                            \
        volatile type ours_ = 0;                                                                                    \
        is_approximate = 0;                                                                                         \
        *our___errno_location() = 0;                                                                                \
        if (GUARDED(ours_ = our_##name(__VA_ARGS__)) != RETURNED) {                                                 \
            refused++;                                                                                              \
            break;                                                                                                  \
        }                                                                                                           \
        errno = 0;                                                                                                  \
        type theirs_ = name(__VA_ARGS__);                                                                           \
        CHECK_FOR(errno == *our___errno_location(), #name " %a %a: %a, errno %d, %d", (double)x, (double)y, theirs_,\
                  *our___errno_location(), errno);                                                                  \
        if (is_approximate)                                                                                         \
            approximate++;                                                                                          \
        else {                                                                                                      \
            certain++;                                                                                              \
            CHECK_FOR(are_same(ours_, theirs_), #name " %a %a: %a, %a", (double)x, (double)y, ours_, theirs_);      \
        }                                                                                                           \
    } while (0)

static double some_number(void) {
    static const double special[] = {0, 1, 2, 3, 10, 0.5, 0.1, 1.5, INFINITY, NAN, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023,
                                     709, 710, 745, 746, 88, 89, 104, 127, 128, 1023, 1024, 0x1p52, 0x1p53, 0x1p-60};
    double value;
    switch (below(5)) {
    case 0: value = special[below(sizeof special / sizeof *special)]; break;
    case 1: value = below(2000) - 1000; break;
    case 2: value = (below(2000001) - 1000000) / 1024.0; break;
    case 3: value = ldexp(below(1 << 20), below(80) - 60); break;
    default: {
        unsigned long long bits = any() << 32 ^ any();
        memcpy(&value, &bits, sizeof value);
    }
    }
    return below(2) ? -value : value;
}

static void compare(double x, double y) {
    SAME(double, exp, x); SAME(double, exp2, x); SAME(double, expm1, x); SAME(double, pow, x, y);
    SAME(double, log, x); SAME(double, log10, x); SAME(double, log2, x); SAME(double, log1p, x);
    SAME(double, sin, x); SAME(double, cos, x); SAME(double, tan, x);
    SAME(double, asin, x); SAME(double, acos, x); SAME(double, atan, x); SAME(double, atan2, x, y);
    SAME(double, sinh, x); SAME(double, cosh, x); SAME(double, tanh, x);
    SAME(double, asinh, x); SAME(double, acosh, x); SAME(double, atanh, x);
    SAME(double, cbrt, x); SAME(double, hypot, x, y);
    SAME(double, logb, x);
    // glibc 2.36 gives a zero the wrong sign here and there, where divisors are smallest.
    if (!(fabs(y) < 0x1p-1000)) {
        SAME(double, remainder, x, y);
        SAME(double, drem, x, y);
    }
}

static void compare_floats(float x, float y) {
    SAME(float, expf, x); SAME(float, exp2f, x); SAME(float, powf, x, y);
    SAME(float, logf, x); SAME(float, log10f, x); SAME(float, log2f, x);
    SAME(float, sinf, x); SAME(float, cosf, x); SAME(float, tanf, x);
    SAME(float, asinf, x); SAME(float, acosf, x); SAME(float, atanf, x); SAME(float, tanhf, x); SAME(float, cbrtf, x);
}

int main(void) {
    for (int base = -40; base <= 40; base++)
        for (int exponent = -40; exponent <= 40; exponent++) {
            compare(base, exponent);
            compare_floats(base, exponent);
            compare(base / 8.0, exponent);
            compare_floats(base / 8.0, exponent);
        }
    for (int i = 0; i < 60000; i++) {
        compare(some_number(), some_number());
        compare_floats(some_number(), some_number());
    }
    // Most calls of ordinary programs return something.
    fprintf(stderr, "%d certain, %d approximate, %d refused\n", certain, approximate, refused);
    CHECK(certain > 100000 && approximate > 100000 && refused < (certain + approximate) / 4);
}
