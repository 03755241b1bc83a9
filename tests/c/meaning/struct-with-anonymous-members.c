int printf(const char *, ...);
struct S {
    int a;
    union {
        int b;
        struct { short lo, hi; };
    };
    struct { int c, d; };
};
int main(void) {
    struct S s = {1, {0x00020003}, {4, 5}};
    printf("%d %d %d %d %d %d\n", s.a, s.b, s.lo, s.hi, s.c, s.d);
    s.hi = 7;
    printf("%x\n", s.b);
    struct S t = {.a = 9, .lo = 1, .d = 3};
    printf("%d %d %d %d\n", t.a, t.lo, t.c, t.d);
    struct S *p = &t;
    p->c = 6;
    printf("%d %d\n", p->c, (int)sizeof(struct S));
    return 0;
}
