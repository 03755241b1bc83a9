int printf(const char *, ...);
static int c(char x) { switch (x) { case 'a': return 1; case '\n': return 2; case -1: return 3; default: return 0; } }
static int u(unsigned char x) { switch (x) { case 255: return 1; case 0: return 2; } return 0; }
static int q(long long x) { switch (x) { case 1ll << 40: return 1; case -1: return 2; } return 0; }
static int w(unsigned x) { switch (x) { case 4294967295u: return 1; case 0x80000000: return 2; } return 0; }
static int s(short x) { switch (x) { case 40000: return 1; case -25536: return 2; } return 0; }
static int b(_Bool x) { switch (x) { case 0: return 5; case 1: return 6; } return 0; }
int main(void) {
    printf("%d %d %d %d\n", c('a'), c('\n'), c('\xff'), c('z'));
    printf("%d %d %d\n", u(255), u(0), u(1));
    printf("%d %d %d\n", q(1ll << 40), q(-1), q(0));
    printf("%d %d %d\n", w(-1), w(2147483648u), w(1));
    printf("%d\n", s((short)40000));
    printf("%d %d\n", b(0), b(9));
    return 0;
}
