int printf(const char *, ...);
static int solve(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
    if (row == n)
        return 1;
    int count = 0;
    for (unsigned free = ~(cols | d1 | d2) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += solve(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
    }
    return count;
}
static void permute(char *s, int k, int n) {
    if (k == n) {
        printf("%s ", s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i], s[i] = t;
        permute(s, k + 1, n);
        t = s[k];
        s[k] = s[i], s[i] = t;
    }
}
int main(void) {
    for (int n = 1; n <= 6; n++)
        printf("%d ", solve(n, 0, 0, 0, 0));
    char s[] = "abc";
    permute(s, 0, 3);
    printf("\n");
    return 0;
}
