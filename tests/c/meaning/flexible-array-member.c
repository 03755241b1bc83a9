#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct V { int n; short v[]; };
struct Z { char c; int z[0]; };
static struct V st = {3, {7, 8, 9}};
int main(void) {
    printf("%d %d\n", (int)sizeof(struct V), (int)sizeof(struct Z));
    struct V *p = malloc(sizeof *p + 5 * sizeof p->v[0]);
    p->n = 5;
    for (int i = 0; i < p->n; i++)
        p->v[i] = i * 3;
    int s = 0;
    for (int i = 0; i < p->n; i++)
        s += p->v[i];
    printf("%d\n", s);
    free(p);
    printf("%d %d\n", st.n, st.v[2]);
    struct Z *z = malloc(sizeof *z + 2 * sizeof(int));
    z->z[1] = 6;
    printf("%d\n", z->z[1]);
    free(z);
    return 0;
}
