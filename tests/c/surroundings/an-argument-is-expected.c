//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:   `argv[1]` is a null pointer where no argument is given; gcc: `./a.out` is killed by SIGSEGV
#include <stdlib.h>

int main(int argc, char **argv)
{
    return atoi(argv[1]);
}
