int printf(const char *, ...);
static int find(int (*m)[4], int n, int x, int *col) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        do {
            if (m[i][j] == x) {
                *col = j;
                return i;
            }
            if (m[i][j] > x)
                break;
        } while (++j < 4);
    }
    *col = -1;
    return -1;
}
int main(void) {
    int m[3][4] = {{1, 3, 5, 7}, {2, 4, 6, 8}, {10, 20, 30, 40}}, c;
    int v[] = {5, 8, 30, 9, 0};
    for (int i = 0; i < 5; i++) {
        int r = find(m, 3, v[i], &c);
        printf("%d: %d %d\n", v[i], r, c);
    }
    return 0;
}
