//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   without `--args` there is the name of the program alone; gcc: `./a.out` ends with 0
#include <assert.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    assert(argc == 1);
    assert(argv[0][0] != 0);
    assert(argv[1] == NULL);
    return 0;
}
