int printf(const char *, ...);
#define FIND(a, n, x) ({ __label__ found; int i_; \
    for (i_ = 0; i_ < (n); i_++) if ((a)[i_] == (x)) goto found; \
    i_ = -1; found: i_; })
int main(void) {
    int a[] = {4, 8, 15, 16, 23, 42};
    printf("%d\n", FIND(a, 6, 15));
    printf("%d\n", FIND(a, 6, 7));
    {
        __label__ l;
        int n = 0;
    l:
        if (n++ < 2)
            goto l;
        printf("%d\n", n);
    }
    goto l;
l:
    printf("outer\n");
    return 0;
}
