int printf(const char *, ...);
static int f(int n) {
    typedef int Row[n];
    n = 1000;
    Row a, b[2];
    for (unsigned i = 0; i < sizeof(Row) / sizeof(int); i++)
        a[i] = b[0][i] = b[1][i] = i;
    int s = 0;
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
        s += a[i] + b[1][i];
    return s + (int)sizeof b;
}
int main(void) {
    printf("%d %d\n", f(3), f(5));
    int n = 2;
    typedef char Buffer[n * 4];
    n = 50;
    Buffer x;
    printf("%d %d\n", (int)sizeof x, (int)sizeof(Buffer));
    __typeof__(x) y;
    printf("%d\n", (int)sizeof y);
    Buffer *p = &x;
    printf("%d\n", (int)sizeof *p);
    return 0;
}
