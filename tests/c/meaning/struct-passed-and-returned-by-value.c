int printf(const char *, ...);
struct S1 { char c; };
struct S3 { char a, b, c; };
struct S8 { int a, b; };
struct S16 { long long a; double b; };
struct S40 { int v[10]; };
static struct S1 f1(struct S1 s) { s.c++; return s; }
static struct S3 f3(struct S3 s) { s.b = s.a + s.c; return s; }
static struct S8 f8(int x, struct S8 s, int y) { s.a += x; s.b += y; return s; }
static struct S16 f16(struct S16 s) { s.a *= 2; s.b /= 2; return s; }
static struct S40 f40(struct S40 s, int n) {
    for (int i = 0; i < 10; i++)
        s.v[i] += n * i;
    return s;
}
int main(void) {
    struct S1 a = {'a'};
    struct S3 b = {1, 2, 3};
    struct S8 c = {10, 20};
    struct S16 d = {1ll << 40, 5.0};
    struct S40 e = {{1, 2, 3}};
    printf("%c %c\n", f1(a).c, a.c);
    b = f3(b);
    printf("%d %d %d\n", b.a, b.b, b.c);
    struct S8 r = f8(1, c, 2);
    printf("%d %d %d\n", r.a, r.b, c.a);
    d = f16(f16(d));
    printf("%lld %g\n", d.a, d.b);
    printf("%d %d %d\n", f40(e, 3).v[2], f40(e, 1).v[9], e.v[1]);
    return 0;
}
