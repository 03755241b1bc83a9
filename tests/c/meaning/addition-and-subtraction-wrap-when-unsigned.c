int printf(const char *, ...);
int main(void) {
    unsigned char c = 255;
    unsigned short s = 65535;
    unsigned i = 4294967295u;
    unsigned long long q = 18446744073709551615ull;
    c += 1;
    s += 1;
    i += 1;
    q += 1;
    printf("%u %u %u %llu\n", c, s, i, q);
    c -= 1;
    s -= 1;
    i -= 1;
    q -= 1;
    printf("%u %u %u %llu\n", c, s, i, q);
    printf("%u\n", 0u - 5);
    printf("%llu\n", 3ull - 7);
    printf("%u\n", 4000000000u + 4000000000u);
    return 0;
}
