int printf(const char *, ...);
int main(void) {
    int a[5] = {0};
    int *p = &a[1], *q = &a[3], *end = a + 5;
    printf("%d%d%d%d%d%d\n", p < q, p <= q, p > q, p >= q, p == q, p != q);
    printf("%d\n", p + 2 == q);
    printf("%d\n", end - a == 5 && end > q);
    int n = 0;
    for (int *r = a; r != end; ++r)
        n++;
    printf("%d\n", n);
    void *v = p;
    printf("%d %d\n", v == p, v == (void *)q);
    char *c = 0;
    printf("%d %d %d\n", c == 0, !c, c != (char *)a);
    struct S { int x, y; } s;
    printf("%d\n", &s.x < &s.y);
    printf("%d\n", (void *)&s == (void *)&s.x);
    return 0;
}
