#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *end;
    printf("%ld ", strtol("123abc", &end, 10));
    printf("%s\n", end);
    printf("%ld %ld %ld\n", strtol("-0x1f", 0, 16), strtol("077", 0, 0), strtol("zz", 0, 36));
    printf("%lu\n", strtoul("4294967295", 0, 10));
    printf("%lld %llu\n", strtoll("-9223372036854775807", 0, 10), strtoull("18446744073709551615", 0, 10));
    printf("%d %ld %lld\n", atoi("2147483647"), atol("-5"), atoll("12345678901"));
    printf("%g %g\n", strtod("2.5e3x", &end), atof("-0.125"));
    printf("%s\n", end);
    return 0;
}
