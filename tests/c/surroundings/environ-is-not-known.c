//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --assume-nothing
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     a variable may be set
#include <assert.h>
#include <stddef.h>

extern char **environ;

int main(void)
{
    assert(environ[0] == NULL);
    return 0;
}
