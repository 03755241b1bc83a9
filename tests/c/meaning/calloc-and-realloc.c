#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *a = calloc(4, sizeof *a);
    printf("%d %d\n", a[0], a[3]);
    for (int i = 0; i < 4; i++)
        a[i] = i + 1;
    a = realloc(a, 8 * sizeof *a);
    for (int i = 4; i < 8; i++)
        a[i] = i * 10;
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += a[i];
    printf("%d\n", s);
    a = realloc(a, 2 * sizeof *a);
    printf("%d %d\n", a[0], a[1]);
    free(a);
    char *p = realloc(NULL, 3);
    p[0] = 'o';
    p[1] = 'k';
    p[2] = 0;
    printf("%s\n", p);
    free(p);
    int n = 0, cap = 0, *v = 0;
    for (int i = 0; i < 20; i++) {
        if (n == cap) {
            cap = cap ? cap * 2 : 1;
            v = realloc(v, cap * sizeof *v);
        }
        v[n++] = i * i;
    }
    printf("%d %d %d\n", n, cap, v[19]);
    free(v);
    double *d = aligned_alloc(16, 32);
    printf("%d\n", (int)((unsigned long)d % 16));
    d[3] = 2.5;
    printf("%g\n", d[3]);
    free(d);
    return 0;
}
