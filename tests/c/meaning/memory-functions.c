#include <stdio.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789", b[16];
    memcpy(b, a, 11);
    printf("%s\n", b);
    memmove(b + 2, b, 8);
    printf("%s\n", b);
    memmove(b, b + 3, 7);
    printf("%s\n", b);
    memset(b, '-', 4);
    printf("%s\n", b);
    printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abc", 3), memcmp("b", "a", 1) > 0);
    printf("%d\n", memcmp("\xff", "\x01", 1) > 0);
    printf("%d\n", memcmp("abx", "aby", 2));
    char *p = memchr(a, '5', 10);
    printf("%d %d\n", (int)(p - a), memchr(a, 'x', 10) == NULL);
    struct S { int x; double d; char c[3]; } s = {1, 2.5, "ab"}, t;
    memcpy(&t, &s, sizeof s);
    printf("%d %g %s\n", t.x, t.d, t.c);
    int v[4];
    memset(v, 0xff, sizeof v);
    printf("%d %d\n", v[0], v[3]);
    memset(v, 0, 2 * sizeof *v);
    printf("%d %d\n", v[1], v[2]);
    unsigned u = 0x01020304;
    unsigned char bytes[4];
    memcpy(bytes, &u, 4);
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    return 0;
}
