int printf(const char *, ...);
int main(void) {
    _Bool b = 2;
    printf("%d\n", b);
    b = 0.25;
    printf("%d\n", b);
    b = (void *)0;
    printf("%d\n", b);
    int x;
    b = &x;
    printf("%d\n", b);
    b = 256;
    printf("%d %d %d\n", b, (int)sizeof b, -b);
    b = b + b;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    b ^= 1;
    printf("%d %d\n", b, ~b);
    b |= 4;
    printf("%d %d\n", b, b << 3);
    struct { _Bool p, q; } s = {5, 0};
    printf("%d %d\n", s.p, s.q);
    return b;
}
