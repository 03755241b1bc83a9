//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     gcc on x86-64 evaluates the arguments from right to left: its program prints `3 2 1` and aborts
#include <assert.h>
#include <stdio.h>

static int counter;
static int next(void) { return ++counter; }
static int is_sorted(int a, int b, int c) {
    printf("%d %d %d\n", a, b, c);
    return a < b && b < c;
}

int main(void) {
    assert(is_sorted(next(), next(), next()));
    return 0;
}
