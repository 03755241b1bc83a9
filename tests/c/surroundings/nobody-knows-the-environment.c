//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --assume-nothing
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     the variable may be set
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(getenv("HOME") == NULL);
    return 0;
}
