int printf(const char *, ...);
struct P { int x, y; char name[8]; struct { short a, b; } in; };
int main(void) {
    struct P p = {1, 2, "abc", {3, 4}};
    struct P q = p;
    q.x = 10;
    q.name[0] = 'z';
    q.in.b = 40;
    printf("%d %d %s %d %d\n", p.x, p.y, p.name, p.in.a, p.in.b);
    printf("%d %d %s %d %d\n", q.x, q.y, q.name, q.in.a, q.in.b);
    p = q;
    printf("%d %s %d\n", p.x, p.name, p.in.b);
    struct P arr[2] = {p, q};
    arr[1] = (struct P){.y = 9};
    printf("%d %d %d\n", arr[0].x, arr[1].x, arr[1].y);
    struct P *r = &arr[0];
    *r = arr[1];
    printf("%d %d\n", r->x, r->y);
    (p = q).x;
    struct P s = (q.x = 77, q);
    printf("%d\n", s.x);
    return 0;
}
