#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static long long mix(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    long long s = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': s += va_arg(ap, int); break;
        case 'u': s += va_arg(ap, unsigned); break;
        case 'l': s += va_arg(ap, long); break;
        case 'q': s += va_arg(ap, long long); break;
        case 'c': s += (char)va_arg(ap, int); break;
        }
    va_end(ap);
    return s;
}
int main(void) {
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(5, -1, -2, -3, -4, -5));
    char c = 'a';
    short h = -5;
    printf("%lld\n", mix("iiqul", 1, h, 1ll << 40, 4000000000u, -7l));
    printf("%lld\n", mix("cqcqi", c, 5ll, 'b', -6ll, 7));
    printf("%d\n", sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    return 0;
}
