//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   somebody may stop the process between the two looks; gcc: with `kill -STOP` and an hour of patience
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t begin = time(NULL);
    assert(time(NULL) - begin < 3600);
    return 0;
}
