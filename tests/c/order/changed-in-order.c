//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: `i` is changed before a comma, before a call, or only read for the value that is assigned to it
#include <assert.h>

static int same(int x) { return x; }

int main(void) {
    int i = 0, a[4] = {0};
    struct { int x, y; } s = {0, 0};
    i = (i++, i + 1);
    assert(i == 2);
    i = same(i++) + 1;
    assert(i == 3);
    i = i + 1;
    a[i - 1] = i;
    assert(a[3] == 4);
    s.x = s.y++ + 1;
    assert(s.x == 1 && s.y == 1);
    return i++ && i == 5 ? 0 : 1;
}
