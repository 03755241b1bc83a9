int printf(const char *, ...);
static int find(int m[3][3], int x) {
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == x)
                goto found;
    return -1;
found:
    return i * 10 + j;
}
int main(void) {
    int n = 0;
again:
    n++;
    if (n < 4)
        goto again;
    printf("%d\n", n);
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d %d\n", find(m, 6), find(m, 10));
    goto inside;
    {
        int x;
        printf("skipped\n");
    inside:
        x = 5;
        printf("%d\n", x);
    }
    if (n == 4)
        goto into;
    while (n < 10) {
        printf("loop %d\n", n);
    into:
        n += 3;
    }
    goto end;
    printf("unreachable\n");
end:;
    return n;
}
