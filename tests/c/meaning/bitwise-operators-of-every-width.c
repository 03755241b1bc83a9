int printf(const char *, ...);
#define TRY(T, a, b, f) { T x = (T)(a), y = (T)(b); \
    printf(#T " " f " " f " " f " " f "\n", (T)(x & y), (T)(x | y), (T)(x ^ y), (T)~x); }
int main(void) {
    TRY(signed char, 0x5a, -3, "%d")
    TRY(unsigned char, 0x5a, 0xf0, "%d")
    TRY(short, 0x5a5a, -255, "%d")
    TRY(unsigned short, 0x5a5a, 0xff00, "%d")
    TRY(int, 0x5a5a5a5a, -65536, "%d")
    TRY(unsigned, 0x5a5a5a5a, 0xffff0000u, "%u")
    TRY(long, 0x5a5a5a5a, -65536, "%ld")
    TRY(unsigned long, 0x5a5a5a5a, 0xffff0000u, "%lu")
    TRY(long long, 0x5a5a5a5a5a5a5a5all, -4294967296ll, "%lld")
    TRY(unsigned long long, 0x5a5a5a5a5a5a5a5aull, 0xffffffff00000000ull, "%llu")
    return 0;
}
