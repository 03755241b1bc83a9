int printf(const char *, ...);
static unsigned long long power(unsigned long long b, unsigned e, unsigned long long m) {
    unsigned long long r = 1;
    for (b %= m; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}
static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a; }
int main(void) {
    printf("%llu %llu\n", power(3, 1000, 1000000007), power(2, 62, 1ull << 63));
    printf("%lld\n", gcd(1234567890123456789ll, 987654321987654321ll));
    long long a = 0x7fffffffffffffffll, b = -a - 1;
    printf("%lld %lld %lld\n", a, b, a + b);
    printf("%lld %lld\n", b / 10, b % 10);
    printf("%lld %llu\n", a >> 3, (unsigned long long)b >> 3);
    printf("%d %d\n", a > b, (unsigned long long)a > (unsigned long long)b);
    unsigned long long x = 0xdeadbeefcafebabeull;
    printf("%llx %llx\n", x * x, x * 0x100000001ull);
    printf("%x %x\n", (unsigned)(x >> 32), (unsigned)x);
    printf("%lld\n", (long long)(int)x);
    return 0;
}
