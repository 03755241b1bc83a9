int printf(const char *, ...);
struct V { double x, y; };
struct Big { int n; struct V v[3]; };
static struct V add(struct V a, struct V b) { return (struct V){a.x + b.x, a.y + b.y}; }
static struct Big big(int n) {
    struct Big b = {n, {{1, 2}, {3, 4}, {n, n}}};
    return b;
}
static struct V *at(struct V *v, int i) { return v + i; }
int main(void) {
    struct V a = {1, 2}, b = {3, 4}, c;
    printf("%g\n", add(a, b).y);
    c = add(add(a, b), add(b, (struct V){.x = 10}));
    printf("%g %g\n", c.x, c.y);
    printf("%g %d\n", big(7).v[2].x, big(8).n);
    struct V arr[3] = {a, b, c};
    *at(arr, 1) = a;
    at(arr, 2)->y = -1;
    printf("%g %g\n", arr[1].x, arr[2].y);
    c = a.x < b.x ? a : b;
    printf("%g\n", c.x);
    c = (a = b, a);
    printf("%g\n", c.x);
    struct V d = arr[1], *p = &d;
    (*p).x = p->y = 5;
    printf("%g %g %g\n", d.x, d.y, arr[1].x);
    arr[0] = arr[1] = arr[2];
    printf("%g %g\n", arr[0].x, arr[1].y);
    return 0;
}
