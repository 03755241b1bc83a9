int printf(const char *, ...);
#define NAME(x) _Generic((x), char: "char", signed char: "signed char", unsigned char: "unsigned char", \
    short: "short", int: "int", long: "long", float: "float", double: "double", char *: "char *", \
    const char *: "const char *", int *: "int *", void *: "void *", struct S: "struct S", default: "default")
struct S { int x; };
static int fi(int x) { return x + 1; }
static double fd(double x) { return x / 2; }
#define HALF(x) _Generic((x), double: fd, default: fi)(x)
int main(void) {
    char c = 0;
    const int ci = 0;
    int a[3];
    struct S s = {0};
    printf("%s %s %s\n", NAME(c), NAME((signed char)0), NAME((unsigned char)0));
    printf("%s %s %s\n", NAME(ci), NAME(1.0f), NAME(1.0));
    printf("%s %s\n", NAME("text"), NAME((const char *)0));
    printf("%s %s %s %s\n", NAME(a), NAME((void *)0), NAME(s), NAME(1ull));
    printf("%s %s\n", NAME(c + c), NAME('a'));
    printf("%d %g\n", HALF(5), HALF(5.0));
    printf("%d\n", _Generic(1, int: 10, long: 20));
    int n = 0;
    printf("%d", _Generic(n++, int: 1));
    printf("%d\n", n);
    return 0;
}
