//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     a file that is not there may define it as anything but 0
#include <assert.h>

extern int configured;

static int look(const int *where) {
    return *where;
}

int main(void) {
    assert(look(&configured) == 0);
    return 0;
}
