//@ models: lp64
int printf(const char *, ...);
typedef __int128 i128;
typedef unsigned __int128 u128;
static void show(u128 v) {
    printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}
static void decimal(i128 v) {
    char b[50];
    int n = 49;
    b[n] = 0;
    int neg = v < 0;
    u128 u = neg ? -(u128)v : (u128)v;
    do
        b[--n] = '0' + (int)(u % 10);
    while (u /= 10);
    if (neg)
        b[--n] = '-';
    printf("%s\n", b + n);
}
int main(void) {
    u128 a = ((u128)0x0123456789abcdefull << 64) | 0xfedcba9876543210ull;
    show(a);
    show(a * 3);
    show(a + ~(u128)0);
    show(a >> 4);
    show(a << 60);
    show(~a ^ (a & 0xff));
    show(a / 1000000007);
    show(a % 1000000007);
    i128 s = -(i128)a;
    decimal(s);
    decimal(s / 1000);
    decimal(s % 1000);
    decimal(s >> 100);
    decimal((i128)1e30);
    printf("%d %d %d\n", s < 0, (i128)1 << 100 > 5, (u128)-1 > 0);
    printf("%g %d\n", (double)a, (int)sizeof a);
    long long l = -5;
    decimal((i128)l * l * l);
    decimal((long long)(s >> 64));
    return 0;
}
