int printf(const char *, ...);
#define TRY(T, a, b, f) { T x = (T)(a), y = (T)(b); T r = (T)(x * y); printf(#T " " f "\n", r); }
int main(void) {
    TRY(signed char, 11, -7, "%d")
    TRY(unsigned char, 200, 3, "%d")
    TRY(short, -150, 200, "%d")
    TRY(unsigned short, 300, 300, "%d")
    TRY(int, 46340, -46340, "%d")
    TRY(unsigned, 70000u, 70000u, "%u")
    TRY(long long, 3037000499ll, -3037000499ll, "%lld")
    TRY(unsigned long long, 5000000000ull, 5000000000ull, "%llu")
    return 0;
}
