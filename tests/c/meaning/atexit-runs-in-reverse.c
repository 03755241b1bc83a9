#include <stdio.h>
#include <stdlib.h>
static void a(void) { printf("a\n"); }
static void b(void) { printf("b\n"); }
static void c(void) { printf("c\n"); }
int main(void) {
    atexit(a);
    atexit(b);
    atexit(c);
    printf("main\n");
    return 3;
}
