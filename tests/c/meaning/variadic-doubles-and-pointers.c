#include <stdarg.h>
#include <stdio.h>
static double average(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, double);
    va_end(ap);
    return n ? s / n : 0;
}
static void show(const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    while (*f) {
        char c = *f++;
        if (c == 's')
            printf("[%s]", va_arg(ap, const char *));
        else if (c == 'd')
            printf("[%d]", va_arg(ap, int));
        else if (c == 'f')
            printf("[%g]", va_arg(ap, double));
        else if (c == 'p')
            printf("[%d]", *va_arg(ap, int *));
    }
    va_end(ap);
    printf("\n");
}
int main(void) {
    float f = 2.5f;
    int x = 99;
    printf("%g %g\n", average(3, 1.0, 2.0, f), average(2, 1e10, -1e10));
    show("sdfp", "text", -3, 0.125, &x);
    show("fdfdfdfdfd", 1.0, 1, 2.0, 2, 3.0, 3, 4.0, 4, 5.0, 5);
    show("");
    return 0;
}
