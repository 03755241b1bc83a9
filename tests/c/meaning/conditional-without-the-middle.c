int printf(const char *, ...);
static int calls;
static int next(int v) {
    calls++;
    return v;
}
int main(void) {
    printf("%d\n", next(7) ?: 9);
    printf("%d\n", next(0) ?: 9);
    printf("%d\n", calls);
    const char *p = 0;
    printf("%s\n", p ?: "none");
    p = "some";
    printf("%s\n", p ?: "none");
    printf("%d\n", 0 ?: 0 ?: 5);
    printf("%.2f\n", 0.0 ?: 1.25);
    return 0;
}
