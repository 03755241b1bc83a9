int printf(const char *, ...);
static int count;
static int tick(int v) {
    count++;
    return v;
}
int main(void) {
    int a = 3, b = 4;
    printf("%d\n", a > b ? a : b);
    printf("%d\n", a ? tick(1) : tick(2));
    printf("%d\n", count);
    printf("%d\n", a == 1 ? 10 : a == 2 ? 20 : a == 3 ? 30 : 40);
    printf("%.1f\n", a ? 1 : 2.5);
    printf("%d\n", (int)sizeof(a ? (char)1 : (char)2));
    char x[4] = "abc";
    const char *s = b ? x : "other";
    printf("%s\n", s);
    void *v = a ? (void *)&a : (void *)0;
    printf("%d\n", *(int *)v);
    (a ? &a : &b)[0] = 9;
    printf("%d\n", a);
    struct S { int m; } p = {1}, q = {2};
    printf("%d\n", (b ? q : p).m);
    a ? (void)tick(0) : (void)0;
    printf("%d\n", count);
    return 0;
}
