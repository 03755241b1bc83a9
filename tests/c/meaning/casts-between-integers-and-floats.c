int printf(const char *, ...);
int main(void) {
    double d[] = {0.0, 0.99, -0.99, 1.5, -1.5, 100.75, -100.75, 2147483647.0, -2147483648.0};
    for (int i = 0; i < 9; i++)
        printf("%d %lld\n", (int)d[i], (long long)d[i]);
    printf("%d %d\n", (unsigned char)200.7, (signed char)-100.7);
    printf("%u %llu\n", (unsigned)4000000000.5, (unsigned long long)1.8e19);
    printf("%.1f %.1f\n", (double)-7, (double)4294967295u);
    printf("%.1f %.1f\n", (double)18446744073709551615ull, (double)-9223372036854775807ll);
    printf("%.1f %.1f\n", (float)16777217, (float)33554435);
    printf("%.1f\n", (float)18446744073709551615ull);
    printf("%d\n", (int)(float)16777217);
    printf("%d %d\n", (_Bool)0.1, (_Bool)0.0);
    return 0;
}
