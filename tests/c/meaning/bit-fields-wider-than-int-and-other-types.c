// Unsigned bit-fields wider than int have types of their own in gcc: narrower than long long, whose sign counts then.
#include <stdio.h>
struct s { unsigned long long c : 33; unsigned long long d : 40; };
int main(void) {
    struct s b = {5, 7};
    volatile long long low = -726;
    volatile int minus = -1, three = -3;
    printf("%d %d %d\n", b.c <= low, low < b.c, b.c == low + 731);
    printf("%lld %lld\n", (long long)(b.c / low), (long long)(low / b.c));
    printf("%lld %lld\n", (long long)(low % b.c), (long long)(b.d * low));
    b.c = minus;
    b.d = minus;
    printf("%d %d %d\n", b.c == minus, b.d == minus, b.c == b.d);
    printf("%lld %lld\n", (long long)(b.c / three), (long long)(b.d % three));
    printf("%d %d\n", b.c > three, b.d < 0u);
    printf("%lld\n", (long long)(b.c + three));
    printf("%d\n", b.c < -1ll);
    return 0;
}
