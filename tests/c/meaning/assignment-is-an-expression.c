int printf(const char *, ...);
int main(void) {
    int a, b, c;
    a = b = c = 7;
    printf("%d %d %d\n", a, b, c);
    unsigned char u;
    int i = u = 300;
    printf("%d %d\n", u, i);
    float f;
    double d = f = 0.1;
    printf("%d\n", d == 0.1);
    if ((a = b - 7) == 0)
        printf("zero\n");
    while ((c -= 3) > 0)
        printf("%d\n", c);
    int x[3] = {0}, k = 0;
    x[k++] = x[2] = 5;
    printf("%d %d %d %d\n", x[0], x[1], x[2], k);
    return a;
}
