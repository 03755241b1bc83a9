int printf(const char *, ...);
static int size(int a[10]) { return (int)(sizeof(a) == sizeof(int *)); }
static void bump(int a[static 2]) { a[0]++, a[1]--; }
static int first(const char s[]) { return s[0]; }
static int corner(int m[][3], int r, int c) { return m[r][c]; }
static int call(int f(int), int x) { return f(x); }
static int inc(int x) { return x + 1; }
static void clear(int *a, int n) {
    for (; n > 0; a++, n--)
        *a = 0;
}
int main(void) {
    int a[10] = {1, 2, 3}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %d\n", size(a), size(0));
    bump(a);
    bump(a + 1);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    printf("%d %d %d\n", first("xyz"), corner(m, 1, 2), call(inc, 4));
    clear(a + 1, 2);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return 0;
}
