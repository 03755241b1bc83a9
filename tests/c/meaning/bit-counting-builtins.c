int printf(const char *, ...);
int main(void) {
    unsigned v[] = {1, 2, 0x80000000u, 0xff00ff00u, 12345, 0xffffffffu};
    for (int i = 0; i < 6; i++)
        printf("%d %d %d %d %d\n", __builtin_popcount(v[i]), __builtin_clz(v[i]), __builtin_ctz(v[i]),
               __builtin_ffs(v[i]), __builtin_parity(v[i]));
    unsigned long long w[] = {1, 1ull << 40, 0xff00000000000000ull, 0x123456789abcdefull};
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d\n", __builtin_popcountll(w[i]), __builtin_clzll(w[i]), __builtin_ctzll(w[i]),
               __builtin_ffsll(w[i]));
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%d\n", __builtin_popcountl(0xfful));
    printf("%d %d\n", __builtin_clrsb(-1), __builtin_clrsb(1));
    return 0;
}
