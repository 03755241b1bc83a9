#include <stdarg.h>
#include <stdio.h>
static int total(int n, va_list ap) {
    int s = 0;
    while (n--)
        s += va_arg(ap, int);
    return s;
}
static int twice(int n, ...) {
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    int first = total(n, ap);
    int second = total(n, again);
    va_end(again);
    va_end(ap);
    return first * 1000 + second;
}
static void log_it(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}
static int skip(int n, ...) {
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        (void)va_arg(ap, int);
    va_list rest;
    va_copy(rest, ap);
    int a = va_arg(ap, int);
    int b = va_arg(rest, int);
    va_end(ap);
    va_end(rest);
    return a == b ? a : -1;
}
int main(void) {
    printf("%d\n", twice(3, 1, 2, 3));
    log_it("%d-%s-%c-%.2f\n", 5, "five", '5', 5.0);
    printf("%d\n", skip(2, 10, 20, 30, 40));
    return 0;
}
