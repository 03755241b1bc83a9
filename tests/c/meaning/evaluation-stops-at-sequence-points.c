int printf(const char *, ...);
int g = 1;
static int set(int v) {
    g = v;
    return v;
}
int main(void) {
    int i = 0;
    i = i + 1, i = i * 10;
    printf("%d\n", i);
    int r = set(5) && g == 5;
    printf("%d %d\n", r, g);
    r = (set(6), g) + 1;
    printf("%d\n", r);
    r = set(7) ? g : -1;
    printf("%d\n", r);
    for (i = 0; set(i), g < 3; i++)
        printf("%d ", g);
    printf("\n");
    return 0;
}
