int printf(const char *, ...);
int *a[3];
int (*b)[3];
int (*f)(void);
int *(*g)(int *);
int (*h[2])(int, int);
int (*(*k)(int))(int, int);
char *(*const l)(char *) = 0;
static int one(void) { return 1; }
static int *id(int *p) { return p; }
static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }
static int (*pick(int n))(int, int) { return n ? add : sub; }
int (*arr(int n))[3] {
    static int t[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return &t[n];
}
int main(void) {
    int x = 5, v[3] = {7, 8, 9};
    a[1] = &x;
    b = &v;
    f = one;
    g = id;
    h[0] = add;
    h[1] = sub;
    k = pick;
    printf("%d %d %d %d\n", *a[1], (*b)[2], f(), *g(&x));
    printf("%d %d %d\n", h[0](1, 2), h[1](1, 2), k(1)(10, 20));
    printf("%d %d\n", (*arr(1))[2], l == 0);
    int (*(*fp[2])(int))(int, int) = {pick, pick};
    printf("%d\n", fp[1](0)(9, 4));
    const int *const volatile *pp = (const int *const volatile *)&a[1];
    printf("%d\n", **pp);
    unsigned long int long ull = 1;
    int long unsigned ul = 2;
    printf("%d %d\n", (int)sizeof ull, (int)(ull + ul));
    return 0;
}
