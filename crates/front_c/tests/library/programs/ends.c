#include <stdio.h>
#include <stdlib.h>

static void first(void) {
    puts("first");
}

static void second(void) {
    puts("second");
}

static void third(int status, void *text) {
    printf("third %d %s\n", status, (char *)text);
}

int on_exit(void (*)(int, void *), void *);

int main(void) {
    atexit(first);
    on_exit(third, "x");
    atexit(second);
    return 5;
}
