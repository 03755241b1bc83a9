int printf(const char *, ...);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*Op)(int, int);
static const struct { const char *name; Op f; } table[] = {{"add", add}, {"sub", &sub}, {"mul", *mul}};
static int apply(int f(int, int), int a, int b) { return f(a, b); }
static Op choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int (*pick(int i))(int, int) { return table[i].f; }
int main(void) {
    for (unsigned i = 0; i < 3; i++)
        printf("%s %d\n", table[i].name, table[i].f(7, 3));
    printf("%d %d\n", apply(add, 1, 2), apply(&mul, 3, 4));
    printf("%d\n", choose('-')(10, 4));
    printf("%d\n", (*pick(2))(5, 6));
    printf("%d\n", (***add)(1, 1));
    Op f = sub;
    printf("%d %d %d\n", f == sub, f != add, f == &sub);
    f = 0;
    printf("%d\n", !f);
    void *v = (void *)mul;
    printf("%d\n", ((Op)v)(2, 9));
    return 0;
}
