int printf(const char *, ...);
struct S { char c; int i; double d; char *p; int a[3]; };
static struct S g;
static int t[5];
int main(void) {
    struct S s = {1};
    struct S e = {};
    int a[5] = {1};
    char b[6] = "ab";
    printf("%d %d %g %d %d\n", s.c, s.i, s.d, s.p == 0, s.a[2]);
    printf("%d %d %g %d %d\n", e.c, e.i, e.d, e.p == 0, e.a[2]);
    printf("%d %d %g %d %d\n", g.c, g.i, g.d, g.p == 0, g.a[2]);
    printf("%d %d %d\n", a[0], a[4], t[3]);
    printf("%d %d %d\n", b[1], b[2], b[5]);
    return 0;
}
