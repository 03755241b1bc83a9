int printf(const char *, ...);
struct C { unsigned char a : 3, b : 5; signed char c : 7; };
struct H { unsigned short a : 9, b : 7; short c : 10; };
struct L { unsigned long long a : 40; long long b : 20; unsigned c : 4; };
struct M { char a : 4; int b : 20; long long c : 33; _Bool d : 1; };
int main(void) {
    struct C c = {7, 31, -64};
    struct H h = {511, 127, -512};
    struct L l = {0xffffffffffull, -524288, 15};
    struct M m = {-8, 524287, -4294967296ll, 1};
    printf("%d %d %d\n", c.a, c.b, c.c);
    printf("%d %d %d\n", h.a, h.b, h.c);
    printf("%llu %lld %u\n", (unsigned long long)l.a, (long long)l.b, l.c);
    printf("%d %d %lld %d\n", m.a, m.b, (long long)m.c, m.d);
    printf("%d %d %d %d\n", (int)sizeof c, (int)sizeof h, (int)sizeof l, (int)sizeof m);
    l.a += 1;
    l.b -= 1;
    printf("%llu %lld\n", (unsigned long long)l.a, (long long)l.b);
    return 0;
}
