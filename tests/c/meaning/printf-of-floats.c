#include <stdio.h>
int main(void) {
    double v[] = {0.0, 1.0, -1.5, 3.14159265358979, 1e10, 1e-10, 123456789.0, 0.1, 1e100, 2.5, -0.0};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%f|%e|%g|%.3f|%10.2e|%-12.4g|%+.1f|% g|%#g|%G|%a\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i],
               v[i], v[i], v[i]);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%010.3f|%-10.3f|%+010.3f\n", 3.14159, 3.14159, 3.14159);
    printf("%.15g %.17g %.20f\n", 0.1, 0.1, 0.1);
    printf("%f %g %e\n", (double)1.1f, (double)1.1f, (double)1.1f);
    printf("%#.0f %#.0e %.0e\n", 3.0, 3.0, 3.0);
    printf("%5.1f|%5.1f|%5.1f\n", 99.95, 9.995, 0.05);
    return 0;
}
