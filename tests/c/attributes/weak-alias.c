//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     aliases are other names of one function and one object, also if what they name comes later
#include <assert.h>

int early(void) __attribute__((weak, alias("late")));
extern int other __attribute__((alias("number")));
int number = 1;
int late(void) { return 7; }
static int reference(void) __attribute__((weakref("late")));
static int missing(void) __attribute__((weakref("nobody_has_this")));

int main(void) {
    other = 5;
    assert(early() == 7 && early == late && reference() == 7 && !missing);
    assert(number == 5 && &number == &other);
    return 0;
}
