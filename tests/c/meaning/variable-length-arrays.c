int printf(const char *, ...);
static int sum(int n, int a[n]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
int main(void) {
    for (int n = 1; n <= 4; n++) {
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = i * n;
        printf("%d %d\n", sum(n, a), (int)(sizeof a / sizeof *a));
    }
    int n = 3;
    char c[n + 1];
    n = 100;
    printf("%d\n", (int)sizeof c);
    int k = 2;
    long long q[k++];
    printf("%d %d\n", (int)sizeof q, k);
    q[1] = 7;
    printf("%lld\n", q[1]);
    printf("%d\n", (int)sizeof(int[k]));
    int i = 0;
    printf("%d ", (int)sizeof(char[++i]));
    printf("%d\n", i);
    return 0;
}
