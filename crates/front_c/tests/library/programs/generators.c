#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand48(7);
    long first = lrand48(), second = mrand48();
    double third = drand48();
    printf("%ld %ld %.17g\n", first, second, third);
    srand48(-3);
    printf("%ld\n", lrand48());
    unsigned short words[7] = {1, 2, 3, 4, 5, 6, 7};
    third = erand48(words);
    first = nrand48(words);
    second = jrand48(words);
    printf("%.17g %ld %ld %d %d %d\n", third, first, second, words[0], words[1], words[2]);
    unsigned short *old = seed48(words);
    printf("%d %d %d\n", old[0], old[1], old[2]);
    printf("%ld\n", lrand48());
    lcong48(words);
    first = lrand48();
    second = mrand48();
    printf("%ld %ld\n", first, second);
    return 0;
}
