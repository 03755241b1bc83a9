int printf(const char *, ...);
int main(void) {
    printf("%g %g %g %g\n", 1., .5, 1e3, 1.5E-3);
    printf("%a %a %a\n", 0x1p4, 0x1.8p-1, 0xa.bp0);
    printf("%d %d %d\n", (int)sizeof 1.0f, (int)sizeof 1.0, (int)sizeof 1.0F);
    printf("%.20g %.20g\n", 0.1, (double)0.1f);
    printf("%g %g\n", 1e308, 5e-324);
    printf("%.17g\n", 123456789012345678901234567890.0);
    printf("%.17g\n", 2.2250738585072011e-308);
    printf("%.17g\n", 9007199254740993.0);
    printf("%a\n", 0x1.fffffffffffff8p0);
    printf("%a\n", (double)0x1.000001p0f);
    return 0;
}
