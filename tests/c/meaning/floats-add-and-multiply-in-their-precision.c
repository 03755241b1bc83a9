int printf(const char *, ...);
int main(void) {
    float f = 0.1f, g = 0.2f;
    double d = 0.1, e = 0.2;
    printf("%.10g %.17g\n", f + g, d + e);
    printf("%.10g %.17g\n", f * g, d * e);
    printf("%.10g %.17g\n", f / g, d / e);
    printf("%.10g %.17g\n", f - g, d - e);
    printf("%d %d\n", f + g == 0.3f, d + e == 0.3);
    printf("%d\n", f == 0.1);
    float s = 0;
    for (int i = 0; i < 1000; i++)
        s += 0.1f;
    printf("%.9g\n", s);
    double t = 0;
    for (int i = 0; i < 1000; i++)
        t += 0.1;
    printf("%.17g\n", t);
    printf("%.9g\n", 16777216.0f + 1.0f);
    return 0;
}
