// number.c, float_read.c, stdlib.c, process.c, ctype.c, time.c, math.c and builtins.c against glibc and gcc.

#include "compare.h"
#include <ctype.h>
#include <math.h>
#include <time.h>

OUR(strtol); OUR(strtoul); OUR(strtoll); OUR(strtoull); OUR(atoi); OUR(strtod); OUR(strtof);
OUR(abs); OUR(labs); OUR(llabs); OUR(div); OUR(ldiv); OUR(lldiv);
OUR(qsort); OUR(bsearch); OUR(rand); OUR(getenv); OUR(exit); OUR(atexit); OUR(quick_exit); OUR(at_quick_exit); OUR(on_exit);
OUR(isalpha); OUR(isdigit); OUR(isxdigit); OUR(isspace); OUR(isprint); OUR(isgraph); OUR(isblank); OUR(iscntrl);
OUR(isalnum); OUR(ispunct); OUR(isupper); OUR(islower); OUR(toupper); OUR(tolower);
OUR(__ctype_b_loc); OUR(__ctype_tolower_loc); OUR(__ctype_toupper_loc);
extern long our_time(long *);
OUR(fabs); OUR(floor); OUR(ceil); OUR(trunc); OUR(round); OUR(rint); OUR(fmod); OUR(copysign); OUR(fmin); OUR(fmax);
OUR(sqrt); OUR(ldexp); OUR(frexp); OUR(modf); OUR(sqrtf); OUR(fmodf); OUR(floorf); OUR(ldexpf); OUR(fdim); OUR(llround);
extern int our___fpclassify(double), our___fpclassifyf(float), our___isinf(double), our___isnan(double),
    our___finite(double), our___signbit(double);
extern int our_raddle_builtin_popcount(unsigned), our_raddle_builtin_popcountl(unsigned long),
    our_raddle_builtin_popcountll(unsigned long long), our_raddle_builtin_clz(unsigned), our_raddle_builtin_clzl(unsigned long),
    our_raddle_builtin_clzll(unsigned long long), our_raddle_builtin_ctz(unsigned), our_raddle_builtin_ctzl(unsigned long),
    our_raddle_builtin_ctzll(unsigned long long), our_raddle_builtin_parity(unsigned), our_raddle_builtin_parityl(unsigned long),
    our_raddle_builtin_parityll(unsigned long long), our_raddle_builtin_clrsb(int), our_raddle_builtin_clrsbl(long),
    our_raddle_builtin_clrsbll(long long), our_raddle_builtin_ffs(int), our_raddle_builtin_ffsl(long),
    our_raddle_builtin_ffsll(long long);
extern unsigned short our_raddle_builtin_bswap16(unsigned short);
extern unsigned our_raddle_builtin_bswap32(unsigned);
extern unsigned long long our_raddle_builtin_bswap64(unsigned long long);

#define SAME_READING(name, base)                                                                            \
    do {                                                                                                    \
        char *a_ = 0, *b_ = 0;                                                                              \
        errno = *our___errno_location() = 0;                                                                \
        __typeof__(name("", 0, 0)) x_ = our_##name(text, &a_, base), y_ = name(text, &b_, base);            \
        CHECK_FOR(x_ == y_ && a_ == b_ && errno == *our___errno_location(), #name " `%s` base %d: %lld, %lld", \
                  text, base, (long long)x_, (long long)y_);                                                \
    } while (0)

static void readings(void) {
    char text[64];
    switch (below(5)) {
    case 0: {
        int length = below(8);
        for (int i = 0; i < length; i++)
            text[i] = " \t+-0123456789xXabcfzZ\xff"[below(23)];
        text[length] = 0;
        break;
    }
    case 1: sprintf(text, "%lld%s", (long long)(any() >> below(64)), below(2) ? "" : "9"); break;
    case 2: sprintf(text, " -%llu", (unsigned long long)(any() >> below(64))); break;
    case 3: sprintf(text, "%s0x%llx", below(2) ? "" : "-", (unsigned long long)(any() >> below(64))); break;
    default:
        sprintf(text, "%lld", (long long[]){LONG_MAX, LONG_MIN, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, UINT_MAX,
                                            ULONG_MAX}[below(8)] + below(3) - 1);
    }
    int base = below(2) ? 10 * below(2) : below(38);
    SAME_READING(strtol, base);
    SAME_READING(strtoul, base);
    SAME_READING(strtoll, base);
    SAME_READING(strtoull, base);
    CHECK(our_atoi(text) == atoi(text));
}

static int is_same(double a, double b) {
    return a != a ? b != b : a == b && !signbit(a) == !signbit(b);
}

#define SAME_FLOAT_READING(type, name)                                                                            \
    do {                                                                                                          \
        char *a_, *b_;                                                                                            \
        errno = *our___errno_location() = 0;                                                                      \
        type x_ = our_##name(text, &a_), y_ = name(text, &b_);                                                    \
        CHECK_FOR(is_same(x_, y_) && a_ == b_ && errno == *our___errno_location(),                                \
                  #name " `%s`: %a up to %d, errno %d, not %a up to %d, errno %d", text, x_, (int)(a_ - text),    \
                  *our___errno_location(), y_, (int)(b_ - text), errno);                                          \
    } while (0)

static double random_bits(void) {
    union { unsigned long long bits; double value; } parts;
    parts.bits = any();
    return parts.value;
}

static void float_reading(void) {
    static char text[1200];
    switch (below(8)) {
    case 0: sprintf(text, "%.*f", below(8), below(1000000) / 1000.0 - 500); break;
    case 1: sprintf(text, "%.*e", below(25), random_bits()); break;
    case 2:
        strcpy(text, (char *[]){"inf", "-Infinityx", "nan", ".", "-.e5", "+.5e", "1e+", "0x", " 1.e2z", "", "-0",
                                "1e99999999999", "1e-99999999999", "0e99999999999", "0x.", "0x.p1", "0x1p", "0x1.8p-2",
                                "0x1p99999", "-0x.0p5", "4.9e-324", "2.5e-324", "2.4e-324", "2.2250738585072014e-308",
                                "2.2250738585072011e-308", "1.7976931348623158e308", "1.7976931348623159e308",
                                "3.4028236e38", "3.4028235e38", "1.17549435e-38", "1.1754943e-38", "7e-46", "7.1e-46",
                                "-."}[below(34)]);
        break;
    case 3: sprintf(text, "%a", random_bits()); break;
    case 4: sprintf(text, "0x%llx%s.%llxp%d", any() >> below(64), below(2) ? "" : "00000", any(), below(300) - 150); break;
    case 5: {
        // Between two doubles, or two floats, and a bit more.
        double value = fabs(below(2) ? random_bits() : ldexp(any(), below(300) - 200));
        if (!isfinite(value))
            value = 1;
        if (below(2))
            sprintf(text, "%.1100f%s", value * (1 + 0x1p-52), below(2) ? "" : "1");
        else
            sprintf(text, "%.800e", ldexp(3 * ldexp(value, -1) , -below(2)));
        break;
    }
    case 6: {
        // Exactly a tie between floats.
        float value = ldexpf(0x800000 + below(0x800000), below(250) - 140);
        sprintf(text, "%.200f%s", value + ldexp(1, ilogbf(value) - 24), below(2) ? "" : "1");
        break;
    }
    default: {
        int length = below(9);
        for (int i = 0; i < length; i++)
            text[i] = " +-.0123456789eE"[below(16)];
        text[length] = 0;
    }
    }
    SAME_FLOAT_READING(double, strtod);
    SAME_FLOAT_READING(float, strtof);
}

static void divisions(void) {
    long long a = any() >> below(64), b = (any() >> below(64)) * (below(2) ? 1 : -1);
    if ((int)b == 0 || (int)b == -1 || (long)b == -1)
        return;
    CHECK(our_div(a, b).quot == div(a, b).quot && our_div(a, b).rem == div(a, b).rem);
    CHECK(our_ldiv(a, b).quot == ldiv(a, b).quot && our_ldiv(a, b).rem == ldiv(a, b).rem);
    CHECK(our_lldiv(a, b).quot == lldiv(a, b).quot && our_lldiv(a, b).rem == lldiv(a, b).rem);
    if (b != LLONG_MIN && (long)b != LONG_MIN && (int)b != INT_MIN)
        CHECK(our_abs(b) == abs(b) && our_labs(b) == labs(b) && our_llabs(b) == llabs(b));
}

struct element {
    short key;
    char tag;
};

static int by_key(const void *a, const void *b) {
    return ((const struct element *)a)->key - ((const struct element *)b)->key;
}

static void sorting(void) {
    struct element ours[12], theirs[12], key;
    int count = below(13);
    for (int i = 0; i < count; i++)
        ours[i] = theirs[i] = (struct element){below(8), i};
    our_qsort(ours, count, sizeof *ours, by_key);
    qsort(theirs, count, sizeof *theirs, by_key);
    for (int i = 0; i < count; i++)
        CHECK(ours[i].key == theirs[i].key && ours[i].tag == theirs[i].tag);
    key.key = below(9);
    CHECK(our_bsearch(&key, ours, count, sizeof key, by_key) == bsearch(&key, ours, count, sizeof key, by_key));
}

static void characters(void) {
    for (int i = -1; i < 256; i++) {
#define SAME(name) CHECK(our_##name(i) == (name)(i))
        SAME(isalpha); SAME(isdigit); SAME(isxdigit); SAME(isspace); SAME(isprint); SAME(isgraph); SAME(isblank);
        SAME(iscntrl); SAME(isalnum); SAME(ispunct); SAME(isupper); SAME(islower);
    }
    for (int i = -128; i < 256; i++) {
        SAME(toupper); SAME(tolower);
        CHECK((*our___ctype_b_loc())[i] == (*__ctype_b_loc())[i]);
        CHECK((*our___ctype_tolower_loc())[i] == (*__ctype_tolower_loc())[i]);
        CHECK((*our___ctype_toupper_loc())[i] == (*__ctype_toupper_loc())[i]);
    }
}

static double random_double(void) {
    union { unsigned long long bits; double value; } parts;
    switch (below(5)) {
    case 0: // Signalling NaNs become quiet ones.
        parts.bits = any();
        return parts.value + 0;
    case 1: return below(4000) / 8.0 - 250;
    case 2: return ldexp((long long)any(), below(140) - 130);
    case 3: return (double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 0.5, -0.5, 1.5, 2.5, 0x1p-1074, 0x1.8p-1050,
                              0x1.fffffffffffffp-2, 0x1.fffffffffffffp1023, 0x1p52, 0x1p53}[below(15)];
    default: return below(100) + 0.5;
    }
}

static void floats(void) {
    double x = random_double(), y = random_double();
#define SAME_FLOAT(ours, theirs) CHECK_FOR(is_same(ours, theirs), #ours " of %a and %a: %a, %a", x, y, (double)(ours), (double)(theirs))
    SAME_FLOAT(our_fabs(x), fabs(x));
    SAME_FLOAT(our_floor(x), floor(x));
    SAME_FLOAT(our_ceil(x), ceil(x));
    SAME_FLOAT(our_trunc(x), trunc(x));
    SAME_FLOAT(our_round(x), round(x));
    SAME_FLOAT(our_rint(x), rint(x));
    SAME_FLOAT(our_sqrt(x), sqrt(x));
    SAME_FLOAT(our_fmod(x, y), fmod(x, y));
    SAME_FLOAT(our_copysign(x, y), copysign(x, y));
    SAME_FLOAT(our_fdim(x, y), fdim(x, y));
    if (x != 0 || y != 0) {
        SAME_FLOAT(our_fmin(x, y), fmin(x, y));
        SAME_FLOAT(our_fmax(x, y), fmax(x, y));
    }
    SAME_FLOAT(our_sqrtf(x), sqrtf(x));
    SAME_FLOAT(our_floorf(x), floorf(x));
    SAME_FLOAT(our_fmodf(x, y), fmodf(x, y));
    if (fabs(x) < 0x1p62)
        CHECK(our_llround(x) == llround(x));
    int by = below(2200) - 1100, ours = 0, theirs = 0;
    SAME_FLOAT(our_ldexp(x, by), ldexp(x, by));
    SAME_FLOAT(our_ldexpf(x, by / 4), ldexpf(x, by / 4));
    SAME_FLOAT(our_frexp(x, &ours), frexp(x, &theirs));
    CHECK(!isfinite(x) || ours == theirs);
    double whole, their_whole;
    SAME_FLOAT(our_modf(x, &whole), modf(x, &their_whole));
    CHECK(is_same(whole, their_whole));
    CHECK(our___fpclassify(x) == fpclassify(x) && our___fpclassifyf(x) == fpclassify((float)x));
    CHECK(our___isinf(x) == __builtin_isinf_sign(x) && !our___isnan(x) == !isnan(x));
    CHECK(!our___finite(x) == !isfinite(x) && !our___signbit(x) == !signbit(x));
}

static void builtins(void) {
    unsigned long long value = below(4) ? any() >> below(64) : 1ull << below(64);
#define SAME_BITS(name, type) CHECK((type)value == 0 || our_raddle_builtin_##name((type)value) == __builtin_##name((type)value))
    SAME_BITS(popcount, unsigned); SAME_BITS(popcountl, unsigned long); SAME_BITS(popcountll, unsigned long long);
    SAME_BITS(parity, unsigned); SAME_BITS(parityl, unsigned long); SAME_BITS(parityll, unsigned long long);
    SAME_BITS(clz, unsigned); SAME_BITS(clzl, unsigned long); SAME_BITS(clzll, unsigned long long);
    SAME_BITS(ctz, unsigned); SAME_BITS(ctzl, unsigned long); SAME_BITS(ctzll, unsigned long long);
    SAME_BITS(clrsb, int); SAME_BITS(clrsbl, long); SAME_BITS(clrsbll, long long);
    SAME_BITS(bswap16, unsigned short); SAME_BITS(bswap32, unsigned); SAME_BITS(bswap64, unsigned long long);
    SAME_BITS(ffs, int); SAME_BITS(ffsl, long); SAME_BITS(ffsll, long long);
    CHECK(our_raddle_builtin_ffs(0) == 0 && our_raddle_builtin_clrsb(0) == 31 && our_raddle_builtin_clrsb(-1) == 31 && our_raddle_builtin_popcount(0) == 0);
}

static char order[8];
static void first(void) { strcat(order, "1"); }
static void second(void) { strcat(order, "2"); }
static void third(void) { strcat(order, "3"); our_atexit(first); }
static void fourth(int status, void *text) { strcat(order, status == 7 ? text : "?"); }

static void ends(void) {
    our_atexit(first);
    our_on_exit(fourth, "4");
    our_atexit(second);
    our_atexit(third);
    CHECK(GUARDED(our_exit(7)) == EXITED && exit_status == 7 && !strcmp(order, "31241"));
    order[0] = 0;
    our_at_quick_exit(first);
    our_at_quick_exit(second);
    CHECK(GUARDED(our_quick_exit(8)) == EXITED && exit_status == 8 && !strcmp(order, "21"));
    int absent = 0;
    volatile int tries = 0;
    for (; tries < 100; tries++) {
        int number = 0;
        long now = 0, then = 0;
        if (GUARDED(number = our_rand()) == RETURNED)
            CHECK(number >= 0);
        if (GUARDED(now = our_time(&then)) == RETURNED)
            CHECK(now >= 0 && now == then);
        char *variable = order;
        if (GUARDED(variable = our_getenv("HOME")) == RETURNED)
            CHECK(!variable);
    }
}

int main(void) {
    ends();
    characters();
    for (int i = 0; i < 8000; i++) {
        readings();
        float_reading();
        divisions();
        sorting();
        floats();
        builtins();
    }
}
