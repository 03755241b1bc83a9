#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int format(char *to, size_t room, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    int result = vsnprintf(to, room, text, arguments);
    va_end(arguments);
    return result;
}

int main(void) {
    char buffer[200];
    int count = sprintf(buffer, "[%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c|%s|%%]", 42, -42, 42, 7, 7, 255, 255, 8, 9u, 'c', "s");
    printf("%d %s\n", count, buffer);
    printf("%d", snprintf(buffer, 5, "%s", "truncated"));
    printf(" %s\n", buffer);
    sprintf(buffer, "%hhd %hd %ld %lld %zu %jd %td", 300, 70000, LONG_MIN, LLONG_MIN, sizeof(char), (intmax_t)-1, (ptrdiff_t)5);
    puts(buffer);
    sprintf(buffer, "%f %.2f %e %g %g %g %.0f %10.3f|%-10.1f|%+g", 3.14159, 2.675, 12345.678, 0.0001, 1e10, 100000.0, 2.5, -1.5, 1.25, 0.0);
    puts(buffer);
    sprintf(buffer, "%g %g %g %a", 1e300 * 1e300, -1e300 * 1e300, 1e-310, 1.0);
    puts(buffer);
    sprintf(buffer, "%.20f %.3g %#.3g %G", 0.1, 1234567.0, 1.0, 1e-20);
    puts(buffer);
    int at;
    printf("%d|", printf("%*d%n|%.*s|%-*s|\n", 6, 42, &at, 2, "abc", 4, "x"));
    printf("%d\n", at);
    printf("%d\n", format(buffer, sizeof buffer, "%d %s %c %f %lld", 1, "two", '3', 4.5, 5LL));
    puts(buffer);
    fprintf(stdout, "%s %p\n", "to standard output", (void *)0);
    fprintf(stderr, "to standard error %d\n", 1);
    fputs("text", stdout);
    putc('\n', stdout);
    fwrite("bytes\n", 1, 6, stdout);
    const char *unknown = "%d-%s\n";
    printf(unknown, 5, "five");
    char *made;
    if (asprintf(&made, "%d:%s", 12, "made") > 0) {
        puts(made);
        free(made);
    }
    int a, b;
    char word[8];
    printf("%d", sscanf(" 12 word 0x1f", "%d %7s %x", &a, word, (unsigned *)&b));
    printf(" %d %s %d\n", a, word, b);
    fflush(stdout);
    return 0;
}
