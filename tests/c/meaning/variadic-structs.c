#include <stdarg.h>
#include <stdio.h>
struct P { int x, y; };
struct Q { double d; char s[10]; };
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        struct P p = va_arg(ap, struct P);
        s += p.x * 10 + p.y;
    }
    struct Q q = va_arg(ap, struct Q);
    printf("%g %s\n", q.d, q.s);
    int last = va_arg(ap, int);
    va_end(ap);
    return s + last;
}
int main(void) {
    struct P a = {1, 2}, b = {3, 4};
    struct Q q = {0.5, "hello"};
    printf("%d\n", sum(2, a, b, q, 1000));
    printf("%d\n", sum(0, q, 7));
    return 0;
}
