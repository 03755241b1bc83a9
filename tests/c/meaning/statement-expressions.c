int printf(const char *, ...);
#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    printf("%d\n", MAX(next(), 0));
    printf("%d\n", calls);
    int r = ({ int s = 0; for (int i = 1; i <= 10; i++) s += i; s; });
    printf("%d\n", r);
    int a = 1 + ({ int t = 5; t *= 2; t + 1; }) * 2;
    printf("%d\n", a);
    ({ printf("void\n"); });
    struct P { int x, y; } p = ({ struct P q = {1, 2}; q.y++; q; });
    printf("%d %d\n", p.x, p.y);
    printf("%g\n", MAX(1.5, MAX(2, 0.5)));
    if (({ int z = a; z > 5; }))
        printf("yes\n");
    int k = ({ if (a > 100) goto out; a; });
    printf("%d\n", k);
    k = ({ a = 200; if (a > 100) goto out; a; });
    printf("never\n");
out:
    return ({ 0; });
}
