int printf(const char *, ...);
int main(void) {
    printf("%x\n", __builtin_bswap16(0x1234));
    printf("%x\n", __builtin_bswap32(0x12345678));
    printf("%llx\n", (unsigned long long)__builtin_bswap64(0x123456789abcdef0ull));
    unsigned x = 0x01020304;
    printf("%08x\n", __builtin_bswap32(__builtin_bswap32(x)));
    printf("%x\n", (x << 8) | (x >> 24));
    return 0;
}
