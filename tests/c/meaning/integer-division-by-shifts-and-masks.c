int printf(const char *, ...);
static int msb(unsigned x) {
    int n = -1;
    while (x)
        x >>= 1, n++;
    return n;
}
static unsigned reverse(unsigned x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    unsigned v[] = {0, 1, 2, 3, 255, 256, 0x80000000u, 0xdeadbeefu};
    for (int i = 0; i < 8; i++)
        printf("%d %08x %d\n", msb(v[i]), reverse(v[i]), (v[i] & (v[i] - 1)) == 0);
    printf("%d %d %d\n", sign(-5), sign(0), sign(9));
    int a = 5, b = 9;
    a ^= b, b ^= a, a ^= b;
    printf("%d %d\n", a, b);
    printf("%d %d\n", (-7) >> 1, -7 / 2);
    printf("%u\n", (unsigned)-7 >> 1);
    return 0;
}
