int printf(const char *, ...);
struct P { unsigned a : 5; unsigned b : 11; unsigned c : 20; } __attribute__((packed));
struct Q { char x; unsigned a : 17; char y; unsigned b : 9; } __attribute__((packed));
int main(void) {
    static struct P p = {21, 1234, 567890};
    struct Q q = {1, 100000, 2, 300};
    printf("%d %d\n", (int)sizeof p, (int)sizeof q);
    printf("%u %u %u\n", p.a, p.b, p.c);
    printf("%d %u %d %u\n", q.x, q.a, q.y, q.b);
    unsigned char *b = (unsigned char *)&p;
    for (unsigned i = 0; i < sizeof p; i++)
        printf("%02x ", b[i]);
    printf("\n");
    p.b += 1000;
    q.a ^= 0x1ffff;
    printf("%u %u\n", p.b, q.a);
    return 0;
}
