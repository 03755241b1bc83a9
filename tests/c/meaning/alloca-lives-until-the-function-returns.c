#include <alloca.h>
#include <stdio.h>
#include <string.h>
static int f(int n) {
    char *p = alloca(n);
    int *keep[4];
    for (int i = 0; i < 4; i++) {
        keep[i] = alloca(sizeof(int) * (i + 1));
        keep[i][i] = i * i;
    }
    memset(p, 'x', n - 1);
    p[n - 1] = 0;
    printf("%s ", p);
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += keep[i][i];
    return s;
}
int main(void) {
    printf("%d\n", f(5));
    printf("%d\n", f(2));
    int *a = __builtin_alloca(3 * sizeof *a);
    a[2] = 7;
    printf("%d\n", a[2]);
    return 0;
}
