int printf(const char *, ...);
static int table[256];
int main(void) {
    char c = -1;
    table[(unsigned char)c] = 5;
    printf("%d\n", table[255]);
    unsigned char i = 255;
    i++;
    printf("%d\n", table[i] == 0);
    if ((char)256)
        printf("never\n");
    if ((unsigned short)65537 == 1)
        printf("wraps\n");
    unsigned long long big = 1ull << 32;
    if ((int)big)
        printf("never\n");
    if (big)
        printf("big\n");
    while ((signed char)(i += 50) > 0)
        printf("%d ", i);
    printf("%d\n", i);
    printf("%d\n", (_Bool)(char)256);
    int n = 3;
    printf("%d\n", "abcdef"[(unsigned)n]);
    printf("%c\n", *((char *)"xyz" + (short)2));
    return 0;
}
