//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --args=--threads
//@ why:     the argument is missing, so `getopt_long` gives '?'; gcc: `./a.out --threads` aborts
#include <assert.h>
#include <getopt.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    const struct option options[] = {
        {"threads", required_argument, NULL, 't'},
        {NULL, 0, NULL, 0},
    };
    int option = getopt_long(argc, argv, "t:", options, NULL);
    assert(option == 't');
    return 0;
}
