int printf(const char *, ...);
int main(void) {
    int a[4] = {1, 2, 3, 4};
    unsigned long n = (unsigned long)&a[1];
    int *p = (int *)n;
    printf("%d\n", *p);
    printf("%d\n", (int)((unsigned long)&a[3] - (unsigned long)&a[0]));
    printf("%d\n", (int)sizeof(void *) == (int)sizeof(long));
    void *v = 0;
    printf("%d %d\n", v == (void *)0, (unsigned long)v == 0);
    char *c = (char *)a;
    printf("%d\n", *(int *)(c + 8));
    printf("%d\n", ((unsigned long)a & 3) == 0);
    p = (int *)((unsigned long)(a + 2) | 0);
    printf("%d\n", p == &a[2]);
    void *w = (void *)16;
    printf("%d\n", (int)(long)w);
    return 0;
}
