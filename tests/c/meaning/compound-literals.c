int printf(const char *, ...);
struct P { int x, y; };
static int sum(const int *a, int n) {
    int s = 0;
    while (n--)
        s += *a++;
    return s;
}
static struct P add(struct P a, struct P b) { return (struct P){a.x + b.x, a.y + b.y}; }
int *g = (int[]){10, 20, 30};
int main(void) {
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    struct P p = add((struct P){1, 2}, (struct P){.y = 5});
    printf("%d %d\n", p.x, p.y);
    struct P *q = &(struct P){7, 8};
    q->x++;
    printf("%d %d\n", q->x, q->y);
    printf("%d %d\n", g[1], sum(g, 3));
    g[1] = 5;
    printf("%d\n", g[1]);
    printf("%s\n", (char[]){'h', 'i', 0});
    printf("%d\n", (int){42});
    for (int i = 0; i < 2; i++) {
        int *a = (int[2]){i};
        a[1] += i + 1;
        printf("%d %d\n", a[0], a[1]);
    }
    printf("%d\n", (int)sizeof((int[]){1, 2, 3}));
    return 0;
}
