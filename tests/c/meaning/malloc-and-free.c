#include <stdio.h>
#include <stdlib.h>
struct Tree { int key; struct Tree *l, *r; };
static struct Tree *insert(struct Tree *t, int key) {
    if (!t) {
        t = malloc(sizeof *t);
        if (!t)
            abort();
        t->key = key;
        t->l = t->r = NULL;
    } else if (key < t->key)
        t->l = insert(t->l, key);
    else
        t->r = insert(t->r, key);
    return t;
}
static int walk(struct Tree *t, int depth) {
    if (!t)
        return depth;
    int a = walk(t->l, depth + 1);
    printf("%d ", t->key);
    int b = walk(t->r, depth + 1);
    return a > b ? a : b;
}
static void drop(struct Tree *t) {
    if (t) {
        drop(t->l);
        drop(t->r);
        free(t);
    }
}
int main(void) {
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 45};
    struct Tree *t = 0;
    for (int i = 0; i < 8; i++)
        t = insert(t, keys[i]);
    int d = walk(t, 0);
    printf("depth %d\n", d);
    drop(t);
    free(NULL);
    char *p = malloc(10);
    for (int i = 0; i < 9; i++)
        p[i] = 'a' + i;
    p[9] = 0;
    printf("%s\n", p);
    free(p);
    return 0;
}
