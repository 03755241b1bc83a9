#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
    int v[] = {5, 2, 9, 1, 7, 3};
    qsort(v, 6, sizeof *v, by_int);
    for (int i = 0; i < 6; i++)
        printf("%d ", v[i]);
    int key = 7;
    int *f = bsearch(&key, v, 6, sizeof *v, by_int);
    printf("%d\n", f ? (int)(f - v) : -1);
    const char *names[] = {"pear", "apple", "fig"};
    qsort(names, 3, sizeof *names, by_name);
    printf("%s %s %s\n", names[0], names[1], names[2]);
    return 0;
}
