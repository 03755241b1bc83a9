int printf(const char *, ...);
static void quick(int *a, int lo, int hi) {
    if (lo >= hi)
        return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p)
            i++;
        while (a[j] > p)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
static int search(const int *a, int n, int x) {
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == x)
            return mid;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}
int main(void) {
    int a[50];
    unsigned seed = 12345;
    for (int i = 0; i < 50; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (int)(seed >> 16 & 0x3ff);
    }
    quick(a, 0, 49);
    for (int i = 0; i < 50; i++)
        printf("%d ", a[i]);
    printf("\n%d %d %d\n", search(a, 50, a[17]) >= 0, search(a, 50, -1), search(a, 50, 5000));
    return 0;
}
