int printf(const char *, ...);
static int counter(void) {
    static int n = 10;
    return n++;
}
static int other(void) {
    static int n;
    n += 2;
    return n;
}
static int *where(int i) {
    static int a[3] = {1, 2, 3};
    static int *p = &a[1];
    return i ? p : a;
}
static int rec(int k) {
    static int depth;
    depth++;
    if (k)
        rec(k - 1);
    return depth;
}
int main(void) {
    int a = counter(), b = counter(), c = counter();
    printf("%d %d %d\n", a, b, c);
    other();
    printf("%d\n", other());
    *where(0) = 5;
    printf("%d %d\n", *where(0), *where(1));
    printf("%d ", rec(3));
    printf("%d\n", rec(1));
    for (int i = 0; i < 3; i++) {
        static int s = 100;
        int t = 100;
        s++;
        t++;
        printf("%d %d\n", s, t);
    }
    return 0;
}
