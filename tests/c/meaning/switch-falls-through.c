int printf(const char *, ...);
static void f(int n) {
    switch (n) {
    case 0:
        printf("zero ");
    case 1:
        printf("one ");
        break;
    case -5:
    case 7:
        printf("few ");
    default:
        printf("default ");
    case 100:
        printf("hundred ");
    }
    printf("\n");
}
int main(void) {
    int v[] = {0, 1, 2, 7, -5, 100};
    for (int i = 0; i < 6; i++)
        f(v[i]);
    switch (3)
        ;
    switch (1) {
        int x;
    case 1:
        x = 4;
        printf("%d\n", x);
    }
    switch (5) { default: break; }
    switch (2)
    case 2:
        printf("single\n");
    return 0;
}
