int printf(const char *, ...);
static int f(int x) {
    if (__builtin_expect(x > 10, 0))
        return 1;
    if (__builtin_expect(!!(x == 5), 1))
        return 2;
    if (x == 6)
        return 3;
    __builtin_unreachable();
}
int main(void) {
    printf("%d %d %d\n", f(11), f(5), f(6));
    printf("%d\n", __builtin_constant_p(3));
    printf("%d\n", __builtin_types_compatible_p(int, signed int));
    printf("%d\n", __builtin_types_compatible_p(int, long));
    printf("%s\n", __builtin_choose_expr(1, "yes", 2));
    printf("%d\n", (int)__builtin_strlen("abc"));
    char b[4];
    __builtin_memcpy(b, "xyz", 4);
    printf("%s %d\n", b, __builtin_memcmp(b, "xyz", 3));
    printf("%d %g\n", __builtin_abs(-3), __builtin_fabs(-2.5));
    printf("%d\n", __builtin_isinf(__builtin_inf()) != 0);
    __builtin_prefetch(b);
    int *p = __builtin_assume_aligned(b, 1);
    printf("%d\n", p == (void *)b);
    printf("%s\n", __func__);
    printf("%s\n", __builtin_offsetof(struct { int a, b; }, b) == 4 ? "four" : "other");
    return 0;
}
