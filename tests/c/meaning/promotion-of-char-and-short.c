int printf(const char *, ...);
int main(void) {
    char c = 100;
    signed char s = -100;
    unsigned char u = 200;
    short h = -30000;
    unsigned short w = 60000;
    printf("%d %d %d\n", c + c, s + s, u + u);
    printf("%d %d\n", h + h, w + w);
    printf("%d %d %d\n", c * c, s * s, u * u);
    printf("%d %d\n", ~u, -u);
    printf("%d %d\n", !u, ~w);
    printf("%d\n", (int)sizeof(c + c));
    printf("%d\n", (int)sizeof(+h));
    printf("%d\n", u << 4);
    printf("%d\n", s >> 2);
    return 0;
}
