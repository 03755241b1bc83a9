int printf(const char *, ...);
static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
static void fill(int r, int c, int (*m)[c]) {
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            m[i][j] = i * c + j;
}
static int star(int n, int m[*][*]);
static int star(int n, int m[n][n + 1]) { return m[n - 1][n]; }
int main(void) {
    int n = 4;
    int m[n][n];
    fill(n, n, m);
    printf("%d\n", trace(n, m));
    int r = 2, c = 3;
    int k[r][c];
    fill(r, c, k);
    printf("%d %d %d\n", (int)sizeof k, (int)sizeof k[0], k[1][2]);
    printf("%d\n", star(2, k));
    int (*p)[c] = k;
    p++;
    printf("%d %d\n", (*p)[0], (int)(p - k));
    int d[2][n][3];
    d[1][3][2] = 9;
    printf("%d %d\n", d[1][3][2], (int)sizeof d);
    return 0;
}
