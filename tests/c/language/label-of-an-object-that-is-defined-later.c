//@ truth: assert=safe
//@ options: --property assert
//@ why:   `seen` and `kept` are one object, as are the functions: labels are what the linker goes by (gcc: the assertions hold)
#include <assert.h>

extern int seen __asm__("kept");
int next(void) __asm__("step");
int step_by_one(void) __asm__("step");

int main(void) {
    assert(seen == 4);
    assert(next() == 5 && seen == 5);
    return 0;
}

int kept = 4;

int step_by_one(void) { return ++kept; }
