int printf(const char *, ...);
struct P { int x, y; };
struct L { struct P a, b; int n; };
int main(void) {
    struct L l = {1, 2, 3, 4, 5};
    printf("%d %d %d %d %d\n", l.a.x, l.a.y, l.b.x, l.b.y, l.n);
    int m[2][3] = {1, 2, 3, 4};
    printf("%d %d %d\n", m[0][2], m[1][0], m[1][2]);
    struct P p[] = {1, 2, 3, 4, 5};
    printf("%d %d %d\n", (int)(sizeof p / sizeof *p), p[2].x, p[2].y);
    struct L k = {{1}, 2, 3, .n = 9};
    printf("%d %d %d %d %d\n", k.a.x, k.a.y, k.b.x, k.b.y, k.n);
    char s[2][4] = {"ab", {'c', 'd'}};
    printf("%s %s\n", s[0], s[1]);
    struct { char t[4]; int v; } q = {"xyz", 5};
    printf("%s %d\n", q.t, q.v);
    int scalar = {7};
    printf("%d\n", scalar);
    return 0;
}
