//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   arguments that are not looked at make no difference
#include <assert.h>

int main(int argc, char **argv)
{
    int x = 1;
    assert(x == 1);
    return 0;
}
