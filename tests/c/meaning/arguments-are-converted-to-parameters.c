int printf(const char *, ...);
static void f(char c, short s, unsigned char u, float x, long long q, _Bool b) {
    printf("%d %d %d %g %lld %d\n", c, s, u, x, q, b);
}
static double half(int n) { return n / 2; }
static unsigned char low(int n) { return n; }
static float narrow(double d) { return d; }
static _Bool truth(double d) { return d; }
int main(void) {
    f(321, 70000, -1, 3, -1, 256);
    f(3.9, -3.9, 'A', 1u, 4000000000u, 0.25);
    printf("%g %g\n", half(7), half(7.9));
    printf("%d %d\n", low(-1), low(513));
    printf("%d\n", narrow(0.1) == 0.1);
    printf("%d %d\n", truth(0.0), truth(1e-300));
    return 0;
}
