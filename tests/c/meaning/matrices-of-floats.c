int printf(const char *, ...);
typedef double Matrix[3][3];
static void multiply(Matrix r, Matrix a, Matrix b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r[i][j] = 0;
            for (int k = 0; k < 3; k++)
                r[i][j] += a[i][k] * b[k][j];
        }
}
static double root(double x) {
    double r = x;
    for (int i = 0; i < 30; i++)
        r = (r + x / r) / 2;
    return r;
}
int main(void) {
    Matrix a = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, b = {{1, 0, 0.5}, {0, 1, 0}, {0.25, 0, 1}}, c;
    multiply(c, a, b);
    for (int i = 0; i < 3; i++)
        printf("%g %g %g\n", c[i][0], c[i][1], c[i][2]);
    printf("%.15g %.15g\n", root(2), root(10));
    float f = 1.0f / 3.0f;
    printf("%.9g %.9g\n", f, f * 3.0f);
    double s = 0;
    for (int i = 1; i <= 100; i++)
        s += 1.0 / i / i;
    printf("%.12f\n", s);
    return 0;
}
