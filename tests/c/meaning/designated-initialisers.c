int printf(const char *, ...);
struct S { int a, b; int c[4]; struct { int x, y; } d; };
int main(void) {
    int a[8] = {[2] = 5, 6, [6] = 9, [0] = 1};
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    struct S s = {.b = 2, .c = {[1] = 7, 8}, .d.y = 4, .a = 1};
    printf("%d %d %d %d %d %d %d %d\n", s.a, s.b, s.c[0], s.c[1], s.c[2], s.c[3], s.d.x, s.d.y);
    struct S t[2] = {[1].c[2] = 3, [1].d = {5, 6}, [0] = {1, 2}};
    printf("%d %d %d %d %d\n", t[0].a, t[0].b, t[1].c[2], t[1].d.x, t[1].d.y);
    int m[2][3] = {[1][1] = 4, 5, [0] = {1}};
    printf("%d %d %d %d\n", m[0][0], m[1][0], m[1][1], m[1][2]);
    int o[] = {[3] = 1, [1] = 2};
    printf("%d\n", (int)(sizeof o / sizeof *o));
    struct S u = {.a = 1, .a = 2};
    printf("%d\n", u.a);
    struct { int x; int y; } old = {y: 3, x: 4};
    printf("%d %d\n", old.x, old.y);
    return 0;
}
