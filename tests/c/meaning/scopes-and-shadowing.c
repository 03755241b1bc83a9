int printf(const char *, ...);
int x = 1;
static int f(int x) {
    int y = x;
    {
        int x = y * 2;
        y += x;
        for (int x = 0; x < 2; x++)
            y += x;
    }
    return y + x;
}
struct T { int a; };
int main(void) {
    printf("%d\n", x);
    int x = 2;
    {
        printf("%d ", x);
        int x = 3;
        printf("%d\n", x);
    }
    printf("%d %d\n", x, f(10));
    struct T { char c[2]; };
    printf("%d\n", (int)sizeof(struct T));
    {
        struct T { double d; };
        printf("%d\n", (int)sizeof(struct T));
    }
    enum { x2 = 5 };
    {
        enum { x2 = 6 };
        printf("%d ", x2);
    }
    printf("%d\n", x2);
    if (sizeof(struct U { int a, b; }) == 8) {
        struct U u = {1, 2};
        printf("%d\n", u.b);
    }
    int T = 4;
    struct T t = {"z"};
    printf("%d %c\n", T, t.c[0]);
x:
    printf("%d\n", x);
    if (x++ < 3)
        goto x;
    return 0;
}
