int printf(const char *, ...);
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static int *larger(int *a, int *b) { return *a > *b ? a : b; }

struct Pair { int *x; int **y; };
int main(void) {
    int a = 1, b = 2;
    swap(&a, &b);
    printf("%d %d\n", a, b);
    *larger(&a, &b) = 100;
    printf("%d %d\n", a, b);
    int *p = &a;
    struct Pair q = {&b, &p};
    **q.y = 7;
    *q.x += **q.y;
    printf("%d %d\n", a, b);
    p = &b;
    printf("%d\n", **q.y);
    for (int i = 0; i < 3; i++) {
        int v = i;
        int *w = &v;
        *w *= 10;
        printf("%d ", v);
    }
    printf("\n");
    char c = 'x';
    unsigned char *raw = (unsigned char *)&c;
    (*raw)++;
    printf("%c\n", c);
    return 0;
}
