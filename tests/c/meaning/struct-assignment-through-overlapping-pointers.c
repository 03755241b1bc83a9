int printf(const char *, ...);
struct S { int a[5]; };
union U { struct S s; int raw[5]; };
static void copy(struct S *to, const struct S *from) { *to = *from; }
int main(void) {
    struct S s = {{1, 2, 3, 4, 5}}, t = {{0}};
    copy(&t, &s);
    copy(&s, &s);
    printf("%d %d\n", t.a[4], s.a[0]);
    union U u = {.raw = {9, 8, 7}}, v = u;
    v.raw[1] = 80;
    printf("%d %d %d\n", u.s.a[1], v.s.a[1], v.raw[4]);
    u.s = t;
    printf("%d\n", u.raw[2]);
    struct { char c; struct S in; } w = {'x', {{5, 4, 3, 2, 1}}};
    w.in = s;
    printf("%c %d\n", w.c, w.in.a[3]);
    struct Empty {} e, f;
    e = f;
    printf("%d\n", (int)sizeof e);
    return 0;
}
