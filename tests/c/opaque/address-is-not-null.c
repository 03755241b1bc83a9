//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     whatever file defines the variable, its address is not null
#include <assert.h>

extern int configured;

int main(void) {
    int *where = &configured;
    assert(where == 0);
    return 0;
}
