#include <stdio.h>
#include <stdlib.h>
static inline int square(int x) { return x * x; }
extern inline __attribute__((always_inline, gnu_inline)) int cube(int x) { return x * x * x; }
__attribute__((noinline)) static int plain(int x) { return x; }
_Noreturn static void die(int code) {
    printf("dying\n");
    exit(code);
}
static __attribute__((unused)) int unused(void) { return 0; }
static int __attribute__((const)) pure(int a, int b __attribute__((unused))) { return a; }
__attribute__((constructor)) static void none(void) {}
int main(void) {
    printf("%d %d %d %d\n", square(5), cube(3), plain(4), pure(6, 7));
    if (square(2) == 4)
        die(9);
    printf("never\n");
    return 0;
}
