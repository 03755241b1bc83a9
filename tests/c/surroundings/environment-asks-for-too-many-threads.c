//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --env THREADS=9
//@ why:     the variable is 9, as by `env -i THREADS=9 ./a.out`, and there is room for eight
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    const char *wanted = getenv("THREADS");
    int count = wanted ? atoi(wanted) : 1;
    assert(count <= 8);
    return 0;
}
