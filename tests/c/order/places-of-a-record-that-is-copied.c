//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   C17 6.5.16p3 leaves open which of the two places is found first
#include <assert.h>

struct pair {
    int first, second;
};
static struct pair to[3], from[3];
static int last;
static int note(int digit) { return last = digit; }

int main(void) {
    to[note(1)] = from[note(2)];
    assert(last == 2);
    return 0;
}
