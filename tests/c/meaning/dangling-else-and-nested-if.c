int printf(const char *, ...);
static const char *f(int a, int b) {
    if (a)
        if (b)
            return "both";
        else
            return "a";
    if (b)
        return "b";
    return "none";
}
static int g(int x) {
    if (x < 0)
        return -1;
    else if (x == 0)
        return 0;
    else if (x < 10) {
        if (x % 2)
            return 1;
    } else
        return 3;
    return 2;
}
int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%s ", f(i & 1, i & 2));
    printf("\n");
    for (int i = -1; i < 12; i += 2)
        printf("%d ", g(i));
    for (int i = 0; i < 12; i += 4)
        printf("%d ", g(i));
    printf("\n");
    return 0;
}
