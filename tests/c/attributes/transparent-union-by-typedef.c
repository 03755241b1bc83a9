//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   glibc declares the addresses of sockets so: the attribute stands behind the name of the type, and members are passed as the union
#include <assert.h>

union plain { int *whole; float *broken; };
typedef union { int *whole; float *broken; } either __attribute__((__transparent_union__));

static int first(either value) { return *value.whole; }

int main(void) {
    typedef union plain other __attribute__((transparent_union));
    int number = 3;
    other same = {&number};
    assert(first(&number) == 3 && *same.whole == 3);
    return 0;
}
