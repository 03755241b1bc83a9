int printf(const char *, ...);
static const char kind[128] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['A' ... 'Z'] = 3, ['_'] = 4};
int main(void) {
    int a[10] = {[1 ... 3] = 7, [5 ... 8] = 9, 1};
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    for (const char *s = "a9Z_ -"; *s; s++)
        printf("%d", kind[(int)*s]);
    printf("\n");
    struct { int x[3], y; } s[3] = {[0 ... 2] = {{1, 2, 3}, 4}};
    s[1].y = 5;
    printf("%d %d %d\n", s[0].x[2], s[1].y, s[2].y);
    int b[] = {[0 ... 4] = -1};
    printf("%d %d\n", (int)(sizeof b / sizeof *b), b[4]);
    return 0;
}
