int printf(const char *, ...);
int main(void) {
    int i = 7;
    unsigned u = 3000000000u;
    long long q = 1ll << 53;
    float f = 2.5f;
    double d = 0.1;
    printf("%g %g %g\n", i / 2 + d, i / 2.0, (double)(i / 2));
    printf("%.10g %.10g\n", u + f, u * d);
    printf("%.17g %.17g\n", q + 1.0, (double)(q + 1));
    printf("%d %d\n", (int)(f * i), (int)(d * 10));
    printf("%d\n", i < f);
    printf("%d %d\n", q + 1 == (double)(q + 1), 16777217 == 16777217.0f);
    i += f;
    printf("%d\n", i);
    f -= i;
    printf("%g\n", f);
    char c = 'a';
    c += 1.9;
    printf("%c\n", c);
    printf("%d %d\n", (int)sizeof(i * f), (int)sizeof(f * d));
    printf("%g\n", -f);
    printf("%d\n", !d);
    return 0;
}
