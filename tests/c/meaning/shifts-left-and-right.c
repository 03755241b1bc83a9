int printf(const char *, ...);
int main(void) {
    unsigned u = 0x80000001u;
    int i = -16;
    unsigned long long q = 0x8000000000000001ull;
    long long l = -1024;
    unsigned char c = 0x81;
    signed char s = -127;
    for (int n = 0; n < 32; n += 5)
        printf("%u %u %d\n", u << n, u >> n, i >> n);
    for (int n = 0; n < 64; n += 9)
        printf("%llu %llu %lld\n", q << n, q >> n, l >> n);
    printf("%d %d %d\n", c << 1, c >> 1, s >> 1);
    c <<= 1;
    s >>= 3;
    printf("%d %d\n", c, s);
    printf("%d\n", (int)sizeof(c << 1ull));
    printf("%lld\n", 1ll << 40u);
    return 0;
}
