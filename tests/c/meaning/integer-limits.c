#include <limits.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
    printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", CHAR_MIN, CHAR_MAX, CHAR_BIT);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%lld %llu\n", (long long)INT64_MAX, (unsigned long long)UINT64_MAX);
    printf("%d %d %d\n", (int)sizeof(intptr_t), (int)sizeof(size_t), (int)sizeof(intmax_t));
    printf("%llu\n", (unsigned long long)SIZE_MAX);
    return 0;
}
