//@ options: --args-any
//@ truth:  assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect: reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:    what the arguments are is not modelled, and whoever looks at them is told so
#include <assert.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        assert(argv[1][0] != 'x');
    return 0;
}
