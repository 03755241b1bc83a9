int printf(const char *, ...);
#define SWAP(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
int g[3] = {1, 2, 3};
typeof(g) h = {4, 5};
extern typeof(int (int)) twice;
int twice(int x) { return 2 * x; }
int main(void) {
    int x = 1, y = 2;
    double d = 0.5, e = 1.5;
    SWAP(x, y);
    SWAP(d, e);
    printf("%d %d %g %g\n", x, y, d, e);
    printf("%d %d\n", (int)sizeof h, h[2]);
    typeof(int *) p = &x, q = &y;
    printf("%d\n", *p + *q);
    typeof(char[4]) s = "abc";
    printf("%s\n", s);
    __auto_type a = 1.5f;
    __auto_type b = &g[1];
    __auto_type c = twice;
    printf("%d %d %d\n", (int)sizeof a, *b, c(21));
    typeof(x++) z = 3;
    printf("%d %d\n", x, z);
    typeof(1 ? 1 : 1.0) w = 7;
    printf("%d\n", (int)sizeof w);
    const typeof(x) k = 5;
    typeof(k) *pk = &k;
    printf("%d\n", *pk);
    return 0;
}
