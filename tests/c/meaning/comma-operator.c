int printf(const char *, ...);
int main(void) {
    int a = 0, b;
    b = (a = 5, a + 1);
    printf("%d %d\n", a, b);
    for (int i = 0, j = 10; i < j; i++, j -= 2)
        printf("%d %d\n", i, j);
    int c = (1, 2, 3);
    printf("%d\n", c);
    printf("%d\n", (a++, b++, a * b));
    printf("%d\n", (int)sizeof(((void)0, 'a')));
    if (a = 0, b)
        printf("%d %d\n", a, b);
    return (0, 0);
}
