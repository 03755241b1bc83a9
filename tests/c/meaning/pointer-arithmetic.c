int printf(const char *, ...);
struct S { char a; int b; short c; };
int main(void) {
    struct S s[5];
    for (int i = 0; i < 5; i++)
        s[i].b = i * i;
    struct S *p = s, *q = &s[4];
    printf("%d\n", (int)(q - p));
    printf("%d\n", (int)((char *)q - (char *)p) / (int)sizeof(struct S));
    printf("%d %d\n", (p + 3)->b, (q - 1)->b);
    printf("%d %d\n", 2 [s].b, (*(s + 3)).b);
    p += 2;
    printf("%d\n", p->b);
    p -= 1;
    printf("%d\n", p[1].b);
    unsigned char k = 1;
    printf("%d\n", p[k].b);
    long long m = -1;
    printf("%d\n", p[m].b);
    int a[3][4];
    for (int i = 0; i < 12; i++)
        a[i / 4][i % 4] = i;
    int (*row)[4] = a;
    printf("%d %d %d\n", row[1][2], (*(row + 2))[3], *(*(a + 1) + 1));
    printf("%d\n", (int)(&a[2][3] - &a[2][0]));
    void *v = s;
    v = (char *)v + sizeof(struct S);
    printf("%d\n", ((struct S *)v)->b);
    void *w = a;
    w += 4;
    printf("%d\n", *(int *)w);
    return 0;
}
