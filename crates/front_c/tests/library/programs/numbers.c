#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    printf("%d %ld %lld\n", atoi(" 42x"), atol("-7"), atoll("9000000000"));
    errno = 0;
    printf("%d ", strtol("99999999999999999999", &end, 10) == LONG_MAX);
    printf("%d %d\n", errno == ERANGE, *end);
    printf("%ld %lu", strtol("0x1fz", &end, 0), strtoul("777", NULL, 8));
    printf(" %s\n", end);
    printf("%g %g %g\n", atof("1.5e3"), strtod("0.1x", &end), strtod("123456789012345678901234567890", NULL));
    printf("%.17g %.9g\n", strtod("2.2250738585072011e-308", NULL), (double)strtof("0.1", NULL));
    div_t parts = div(-17, 5);
    lldiv_t large = lldiv(1LL << 40, 1000);
    printf("%d %d %lld %lld\n", parts.quot, parts.rem, large.quot, large.rem);
    printf("%d %ld %lld\n", abs(-3), labs(-4L), llabs(-5LL));
    printf("%g %g %g %g %g\n", floor(-1.5), ceil(1.2), trunc(-1.7), round(2.5), rint(2.5));
    printf("%.17g %g %g\n", sqrt(2.0), fmod(10.5, 3.0), fabs(-2.5));
    printf("%g %g %d\n", fmin(1, 2), fmax(1, NAN), isnan(NAN) != 0);
    int exponent;
    double fraction = frexp(10.0, &exponent);
    printf("%g %d %g\n", fraction, exponent, ldexp(0.75, 4));
    double whole, rest = modf(-3.25, &whole);
    printf("%g %g %d %d\n", rest, whole, signbit(-0.0) != 0, isinf(INFINITY) != 0);
    printf("%d %d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1), __builtin_ctz(8), __builtin_parity(7));
    printf("%d %d %d\n", __builtin_clzll(1), __builtin_ctzl(16), __builtin_clrsb(-1));
    printf("%x %x %" PRIx64 "\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), __builtin_bswap64(0x0102030405060708));
    return 0;
}
