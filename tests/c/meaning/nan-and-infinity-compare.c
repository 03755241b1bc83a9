int printf(const char *, ...);
int main(void) {
    volatile double zero = 0.0;
    double inf = 1.0 / zero, nan = inf * zero;
    double v[] = {0.0, -1.0, inf, -inf, nan};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            printf("%d%d%d%d%d%d ", v[i] < v[j], v[i] <= v[j], v[i] > v[j], v[i] >= v[j], v[i] == v[j],
                   v[i] != v[j]);
    printf("\n%d %d\n", nan != nan, !(nan < 1) && !(nan >= 1));
    printf("%f %f\n", inf, -inf);
    printf("%d\n", -0.0 == 0.0);
    printf("%f %f\n", -0.0, 1.0 / inf);
    printf("%d %d\n", nan ? 1 : 0, !nan);
    printf("%d %d\n", __builtin_isnan(nan), __builtin_isinf(inf) != 0);
    return 0;
}
