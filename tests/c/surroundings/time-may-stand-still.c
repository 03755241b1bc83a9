//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   two looks at a clock that counts seconds may be in the same second; gcc: aborts at once
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t begin = time(NULL);
    assert(time(NULL) > begin);
    return 0;
}
