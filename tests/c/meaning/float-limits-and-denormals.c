#include <float.h>
#include <stdio.h>
int main(void) {
    printf("%a %a %a\n", FLT_MAX, FLT_MIN, FLT_EPSILON);
    printf("%a %a %a\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%d %d %d\n", FLT_DIG, DBL_DIG, DBL_MANT_DIG);
    double d = DBL_MIN;
    for (int i = 0; i < 54; i++)
        d /= 2;
    printf("%a\n", d);
    float f = FLT_MIN;
    f /= 1024;
    printf("%a %g\n", f, f);
    printf("%d\n", (float)1e39 > FLT_MAX);
    printf("%.17g\n", (double)FLT_MAX);
    return 0;
}
