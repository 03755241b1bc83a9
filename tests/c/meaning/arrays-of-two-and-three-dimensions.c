int printf(const char *, ...);
int g[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
static int trace(int m[3][3]) {
    return m[0][0] + m[1][1] + m[2][2];
}
static void fill(int (*m)[3], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = i * 10 + j;
}
int main(void) {
    int m[3][3];
    fill(m, 3);
    printf("%d\n", trace(m));
    printf("%d %d\n", g[1][0][1], ((int *)g)[6]);
    printf("%d %d %d\n", (int)sizeof g, (int)sizeof g[0], (int)sizeof g[0][0]);
    int *flat = &m[0][0];
    int s = 0;
    for (int i = 0; i < 9; i++)
        s += flat[i];
    printf("%d\n", s);
    printf("%d\n", (*(m + 1))[2]);
    printf("%d\n", (int)(&m[2] - &m[0]));
    char words[][6] = {"one", "two", "three"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        printf("%s ", words[i]);
    printf("\n");
    return 0;
}
