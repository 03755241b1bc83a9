int printf(const char *, ...);
int main(void) {
    int a[] = {7, -7, 1, -1, 100, -100};
    int b[] = {2, -2, 3, -3, 7};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++)
            printf("%d / %d = %d rest %d\n", a[i], b[j], a[i] / b[j], a[i] % b[j]);
    printf("%u %u\n", -7u / 2, -7u % 2);
    printf("%lld %lld\n", -9000000000000ll / 7, -9000000000000ll % 7);
    printf("%llu %llu\n", 18000000000000000000ull / 7, 18000000000000000000ull % 7);
    printf("%d %d\n", (signed char)-128 / -1, (short)-32768 / -1);
    return 0;
}
