int printf(const char *, ...);
struct P { char a; int b; short c; } __attribute__((packed));
struct A { char a; int b __attribute__((aligned(8))); char c; };
struct Q { char a; struct P p; long long l; } __attribute__((packed, aligned(4)));
struct M { char a; int b __attribute__((packed)); int c; };
#pragma pack(push, 2)
struct H { char a; int b; double d; };
#pragma pack(pop)
struct R { char a; int b; };
int main(void) {
    printf("%d %d %d %d %d %d\n", (int)sizeof(struct P), (int)sizeof(struct A), (int)sizeof(struct Q),
           (int)sizeof(struct M), (int)sizeof(struct H), (int)sizeof(struct R));
    struct P p = {1, -2, 3};
    printf("%d %d %d\n", p.a, p.b, p.c);
    p.b += 100000;
    printf("%d\n", p.b);
    struct P v[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d %d\n", v[1].b, v[2].c);
    struct Q q = {1, {2, 3, 4}, 5};
    printf("%d %lld\n", q.p.b, q.l);
    struct H h = {1, 2, 2.5};
    printf("%d %g\n", h.b, h.d);
    printf("%d %d\n", (int)__builtin_offsetof(struct A, b), (int)__builtin_offsetof(struct H, d));
    return 0;
}
