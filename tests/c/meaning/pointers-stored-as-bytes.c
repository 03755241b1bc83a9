#include <stdio.h>
#include <string.h>
int main(void) {
    int x = 5, y = 6;
    int *p = &x, *q = 0;
    memcpy(&q, &p, sizeof p);
    *q = 9;
    printf("%d\n", x);
    unsigned char raw[sizeof(int *)];
    p = &y;
    for (unsigned i = 0; i < sizeof p; i++)
        raw[i] = ((unsigned char *)&p)[i];
    int *r;
    memcpy(&r, raw, sizeof r);
    printf("%d %d\n", *r, r == &y);
    int (*f)(const char *, ...) = printf, (*g)(const char *, ...);
    memcpy(&g, &f, sizeof f);
    g("called\n");
    struct { int *a; char pad; int *b; } s = {&x, 'c', &y}, t;
    memcpy(&t, &s, sizeof s);
    printf("%d %d\n", *t.a, *t.b);
    return 0;
}
