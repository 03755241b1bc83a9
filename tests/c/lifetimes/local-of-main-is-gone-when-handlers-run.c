//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   handlers run after `main` returned, when its automatic objects have ended (C11 5.1.2.2.3, footnote); gcc -fsanitize=address reports stack-use-after-return where it looks for it
#include <stdlib.h>

static int *p;

static void at_exit(void) { *p = 2; }

int main(void) {
    int a = 1;
    p = &a;
    atexit(at_exit);
    return a - 1;
}
