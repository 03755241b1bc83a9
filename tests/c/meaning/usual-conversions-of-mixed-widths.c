int printf(const char *, ...);
int main(void) {
    int i = -1;
    unsigned u = 1;
    long l = -1;
    long long q = -1;
    unsigned long long v = 1;
    printf("%d\n", i < u);
    printf("%d\n", l < u);
    printf("%d\n", q < u);
    printf("%d\n", q < v);
    printf("%u\n", i + u);
    printf("%lld\n", (long long)(l + u));
    printf("%lld\n", q + u);
    printf("%llu\n", q + v);
    printf("%d %d %d\n", (int)sizeof(i + u), (int)sizeof(l + u), (int)sizeof(q + u));
    printf("%d\n", (int)sizeof(1 ? l : u));
    printf("%d\n", (1 ? -1 : 0u) > 0);
    return 0;
}
