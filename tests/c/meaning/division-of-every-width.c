int printf(const char *, ...);
#define TRY(T, a, b, f) { T x = (T)(a), y = (T)(b); printf(#T " " f " " f "\n", (T)(x / y), (T)(x % y)); }
int main(void) {
    TRY(signed char, -100, 7, "%d")
    TRY(unsigned char, 250, 7, "%d")
    TRY(short, -30000, -7, "%d")
    TRY(unsigned short, 60000, 7, "%d")
    TRY(int, -2000000000, 7, "%d")
    TRY(unsigned, 4000000000u, 7, "%u")
    TRY(long, -2000000000, 13, "%ld")
    TRY(unsigned long, 4000000000u, 13, "%lu")
    TRY(long long, -9000000000000000000ll, 7, "%lld")
    TRY(unsigned long long, 18000000000000000000ull, 7, "%llu")
    return 0;
}
