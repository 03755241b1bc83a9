//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   no variable is set, as by `env -i ./a.out`
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv, char **envp)
{
    assert(getenv("HOME") == NULL);
    assert(envp[0] == NULL);
    return 0;
}
