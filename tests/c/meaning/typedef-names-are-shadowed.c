int printf(const char *, ...);
typedef int T;
typedef struct S { T v; } S;
typedef T A[3], *P, F(T);
static F twice;
static T twice(T x) { return 2 * x; }
static int param(int T) { return T + 1; }
struct M { int T; T x; };
int main(void) {
    T a = 1;
    S s = {2};
    struct S s2 = s;
    A arr = {3, 4, 5};
    P p = arr;
    F *f = twice;
    printf("%d %d %d %d %d\n", a, s.v, s2.v, p[2], f(6));
    {
        int T = 7;
        printf("%d\n", T * a);
    }
    T b = 8;
    printf("%d %d\n", b, param(9));
    {
        typedef char T;
        T c = 'x';
        printf("%c %d\n", c, (int)sizeof(T));
    }
    struct M m = {10, 11};
    printf("%d %d\n", m.T, m.x);
    double S = 1.5;
    printf("%g %d\n", S, (int)sizeof(struct S));
    typedef int (*Cb)(T), (*Cbs[2])(T);
    Cbs cbs = {twice, param};
    printf("%d %d\n", cbs[0](5), ((Cb)cbs[1])(5));
    unsigned T2 = sizeof(T), T3 = (T)3.9;
    printf("%u %u\n", T2, T3);
    return 0;
}
