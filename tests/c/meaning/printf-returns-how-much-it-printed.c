#include <stdio.h>
int main(void) {
    int a = printf("hello\n");
    int b = printf("%d %s\n", 12345, "x");
    int c = printf("%s", "");
    int d = puts("line");
    int e = putchar('c');
    int f = putchar('\n');
    printf("%d %d %d %d %d %d\n", a, b, c, d >= 0, e, f);
    int g = printf("%10.3f|\n", 1.5);
    printf("%d\n", g);
    fputs("fputs\n", stdout);
    fputc('f', stdout);
    putc('\n', stdout);
    fprintf(stdout, "%d\n", 3);
    fflush(stdout);
    return 0;
}
