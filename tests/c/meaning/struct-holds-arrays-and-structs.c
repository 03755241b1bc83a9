int printf(const char *, ...);
struct In { short id; char tag[3]; };
struct Out { struct In in[2]; int grid[2][3]; struct In *p; };
static struct Out make(void) {
    struct Out o = {{{1, "ab"}, {2, "cd"}}, {{1, 2, 3}, {4, 5, 6}}, 0};
    return o;
}
int main(void) {
    struct Out o = make();
    o.p = &o.in[1];
    printf("%d %s %d %s\n", o.in[0].id, o.in[0].tag, o.p->id, o.p->tag);
    printf("%d %d\n", o.grid[1][2], make().grid[0][1]);
    struct Out t[2];
    t[0] = o;
    t[1] = make();
    t[1].in[0].id = 50;
    printf("%d %d\n", t[0].p->id, t[1].in[0].id);
    struct Out *q = t;
    q++;
    q->grid[0][0] = -1;
    printf("%d %d\n", t[1].grid[0][0], q[-1].grid[0][0]);
    printf("%s\n", make().in[1].tag);
    return 0;
}
