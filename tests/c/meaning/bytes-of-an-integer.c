int printf(const char *, ...);
int main(void) {
    unsigned x = 0x11223344;
    unsigned char *p = (unsigned char *)&x;
    printf("%x %x %x %x\n", p[0], p[1], p[2], p[3]);
    p[1] = 0xff;
    printf("%x\n", x);
    unsigned short *h = (unsigned short *)p;
    printf("%x %x\n", h[0], h[1]);
    long long q = -2;
    signed char *s = (signed char *)&q;
    int sum = 0;
    for (unsigned i = 0; i < sizeof q; i++)
        sum += s[i];
    printf("%d\n", sum);
    double d = 1.0;
    unsigned char *b = (unsigned char *)&d;
    for (unsigned i = 0; i < sizeof d; i++)
        printf("%02x", b[i]);
    printf("\n");
    int a[2] = {1, 2};
    char *c = (char *)a;
    printf("%d\n", *(int *)(void *)(c + sizeof(int)));
    return 0;
}
