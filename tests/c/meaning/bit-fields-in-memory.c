#include <stdio.h>
#include <string.h>
struct B { unsigned a : 3; unsigned b : 6; int c : 10; unsigned d : 13; };
int main(void) {
    struct B b;
    memset(&b, 0, sizeof b);
    b.a = 5;
    b.b = 33;
    b.c = -100;
    b.d = 4097;
    unsigned char raw[sizeof b];
    memcpy(raw, &b, sizeof b);
    for (unsigned i = 0; i < sizeof b; i++)
        printf("%02x ", raw[i]);
    printf("\n");
    raw[0] ^= 0xff;
    memcpy(&b, raw, sizeof b);
    printf("%u %u %d %u\n", b.a, b.b, b.c, b.d);
    struct B copy = b;
    copy.a = 0;
    printf("%u %u %u\n", b.a, copy.a, copy.d);
    return 0;
}
