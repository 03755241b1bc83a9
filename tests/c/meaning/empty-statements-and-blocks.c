int printf(const char *, ...);
;
static void nothing(void) {}
static int only(void) { ; ; return 1; ; }
int main(void) {
    ;
    {}
    {{}}
    if (1) ; else printf("never\n");
    for (int i = 0; i < 3; i++)
        ;
    while (0)
        printf("never\n");
    nothing();
    (void)only();
    int x = only(), y;
    (void)x;
    x;
    y = x;
    (void)(y + 1);
    if (x) {
    } else {
    }
    do {} while (0);
    switch (x) {}
    printf("%d %d\n", x, y);
    l1: l2: l3:
    return 0;
}
