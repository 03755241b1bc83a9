#include <stdio.h>
#include <stdlib.h>
struct Acc { int n; long sum; };
static void each(const int *a, int n, void (*f)(void *, int), void *state) {
    for (int i = 0; i < n; i++)
        f(state, a[i]);
}
static void count(void *s, int v) {
    struct Acc *acc = s;
    acc->n++;
    acc->sum += v;
}
static void print(void *s, int v) { printf("%s%d", (const char *)s, v); }
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static void sort(int *a, int n, int (*less)(const void *, const void *)) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && less(&a[j], &a[j - 1]) < 0; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}
int main(void) {
    int a[] = {5, 3, 9, 1, 7};
    struct Acc acc = {0};
    each(a, 5, count, &acc);
    printf("%d %ld\n", acc.n, acc.sum);
    sort(a, 5, compare);
    each(a, 5, print, " ");
    printf("\n");
    return 0;
}
