int printf(const char *, ...);
int main(void) {
    int r;
    unsigned u;
    long long q;
    signed char c;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_add_overflow(1, 2, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_sub_overflow(0u, 1u, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_mul_overflow(100000, 100000, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_mul_overflow(100000, 100000, &q));
    printf("%lld\n", q);
    printf("%d ", __builtin_add_overflow(100, 100, &c));
    printf("%d\n", c);
    printf("%d ", __builtin_sub_overflow(-5, 3u, &q));
    printf("%lld\n", q);
    printf("%d ", __builtin_sadd_overflow(5, 6, &r));
    printf("%d ", __builtin_umul_overflow(65536u, 65536u, &u));
    printf("%u\n", u);
    printf("%d\n", __builtin_smulll_overflow(1ll << 62, 2, &q));
    return 0;
}
