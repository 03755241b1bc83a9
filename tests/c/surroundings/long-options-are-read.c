//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --args=--thr=3 --args=--quiet
//@ why:     a beginning that no other option has is enough; gcc: `./a.out --thr=3 --quiet` ends with 0
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>

static int quiet, threads;

int main(int argc, char **argv)
{
    const struct option options[] = {
        {"threads", required_argument, NULL, 't'},
        {"quiet", no_argument, &quiet, 1},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "t:", options, NULL)) != -1)
        if (option == 't')
            threads = atoi(optarg);
    assert(threads == 3);
    assert(quiet == 1);
    return 0;
}
