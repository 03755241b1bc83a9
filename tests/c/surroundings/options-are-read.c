//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --args=-v --args=-n --args=0x10 --args=file
//@ why:     gcc: `./a.out -v -n 0x10 file` ends with 0
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int verbose = 0, option;
    long number = 0;
    char *end;
    while ((option = getopt(argc, argv, "vn:")) != -1)
        switch (option) {
        case 'v':
            verbose++;
            break;
        case 'n':
            number = strtol(optarg, &end, 0);
            assert(*end == 0);
            break;
        default:
            return 2;
        }
    assert(verbose == 1);
    assert(number == 16);
    assert(optind == 4 && argv[optind][0] == 'f');
    return 0;
}
