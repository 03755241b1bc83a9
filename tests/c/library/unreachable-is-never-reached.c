//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a value that is 0 or 1 is neither of them only where nobody comes to
#include <raddle.h>

int main(void) {
    int value = raddle_any_bool();
    if (value != 0 && value != 1)
        raddle_unreachable();
    return 0;
}
