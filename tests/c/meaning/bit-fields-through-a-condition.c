// Bit-fields wider than int keep their width through a conditional operator, as gcc has it.
#include <stdio.h>
struct s { unsigned long long c : 33; unsigned long long d : 40; };
int main(void) {
    struct s b = {558, 7};
    volatile int one = 1, none = 0;
    long long z = (one ? b.c : b.c) - 559;
    printf("%lld\n", z);
    printf("%lld\n", (long long)((none ? b.d : b.c) - 559));
    printf("%lld\n", (long long)((one ? b.c : 3) - 559));
    printf("%lld\n", (long long)((one ? b.c : 3ll) - 559));
    printf("%lld\n", (long long)((b.c ?: b.d) - 559));
    printf("%lld\n", (long long)((b.c ?: 1) - 559));
    printf("%lld\n", (long long)((one ? b.c : one) - 559));
    printf("%lld\n", (long long)((0, b.c) - 559));
    printf("%lld\n", (long long)((b.c = 5) - 559));
    printf("%lld\n", (long long)-(one ? b.c : b.d));
    printf("%lld\n", (long long)~(one ? b.d : b.c));
    printf("%lld\n", (long long)((one ? (one ? b.c : b.c) : b.c) << 31));
    return 0;
}
