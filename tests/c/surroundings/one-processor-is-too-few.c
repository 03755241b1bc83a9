//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --cpus 1
//@ why:     `get_nprocs` tells of one processor; a machine with one is enough to see it
#include <assert.h>
#include <sys/sysinfo.h>

int main(void)
{
    assert(get_nprocs() > 1);
    return 0;
}
