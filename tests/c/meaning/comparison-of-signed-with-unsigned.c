int printf(const char *, ...);
int main(void) {
    signed char sc = -1;
    unsigned char uc = 255;
    short ss = -1;
    unsigned short us = 65535;
    int si = -1;
    unsigned ui = 4294967295u;
    long long sl = -1;
    unsigned long long ul = 18446744073709551615ull;
    printf("%d %d %d\n", sc == uc, sc < uc, sc > uc);
    printf("%d %d %d\n", ss == us, ss < us, ss > us);
    printf("%d %d %d\n", si == ui, si < ui, si > ui);
    printf("%d %d %d\n", sl == ul, sl < ul, sl > ul);
    printf("%d %d\n", sc == ui, sc == ul);
    printf("%d %d\n", us == ui, uc == ul);
    printf("%d\n", -1 < (unsigned char)1);
    printf("%d\n", -1 < (unsigned)1);
    return 0;
}
