int printf(const char *, ...);
volatile int g = 1;
struct R { volatile unsigned status; const volatile int id; };
static volatile int *reg(volatile int *p) { return p; }
int main(void) {
    volatile int x = 5;
    x;
    x++;
    x += g;
    g = x;
    printf("%d %d\n", x, g);
    struct R r = {1, 2};
    r.status |= 4;
    volatile struct R *p = &r;
    p->status <<= 1;
    printf("%u %d\n", p->status, p->id);
    *reg(&g) = 9;
    printf("%d\n", g);
    for (volatile int i = 0; i < 3; i++)
        printf("%d ", i);
    printf("\n");
    int *const volatile q = (int *)&x;
    printf("%d\n", *q);
    return 0;
}
