//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `main` has not returned when `exit` runs the handlers, so its automatic objects live (C11 5.1.2.2.3, footnote)
#include <assert.h>
#include <stdlib.h>

static int *p;

static void at_exit(void) { assert(*p == 1); }

int main(void) {
    int a = 1;
    p = &a;
    atexit(at_exit);
    exit(0);
}
