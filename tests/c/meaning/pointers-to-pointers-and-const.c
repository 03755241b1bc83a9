int printf(const char *, ...);
static void set(int **p, int *to) { *p = to; }
static int sum(const int *const p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void) {
    int x = 1, y = 2;
    int *p = &x;
    int **pp = &p;
    int ***ppp = &pp;
    ***ppp = 5;
    set(pp, &y);
    **pp += 10;
    printf("%d %d %d\n", x, y, *p);
    const int a[] = {1, 2, 3};
    printf("%d\n", sum(a, 3));
    char *names[] = {"one", "two", "three", 0};
    for (char **n = names; *n; n++)
        printf("%s ", *n);
    printf("\n%c%c\n", names[1][2], *names[2]);
    int *arr[2] = {&x, &y};
    int *(*pa)[2] = &arr;
    printf("%d\n", *(*pa)[1]);
    return 0;
}
