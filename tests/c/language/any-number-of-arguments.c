//@ options: --args-any
//@ truth:  assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:    nobody says how many arguments the program is started with
#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc < 3);
    return 0;
}
