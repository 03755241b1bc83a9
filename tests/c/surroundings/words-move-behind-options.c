//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --args=file --args=-v
//@ why:     glibc's `getopt` moves `file` behind `-v`; gcc: `./a.out file -v` aborts
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    while (getopt(argc, argv, "v") != -1)
        ;
    assert(argv[1][0] == 'f');
    return 0;
}
