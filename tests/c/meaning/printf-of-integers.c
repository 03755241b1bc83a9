#include <stdio.h>
int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -42, -42, -42, -42, -42, -42);
    printf("[%.3d] [%8.3d] [%-8.3d] [%.0d] [%08.3d]\n", 7, 7, 7, 0, 7);
    printf("[%u] [%x] [%X] [%#x] [%#X] [%o] [%#o]\n", 255u, 255, 255, 255, 255, 8, 8);
    printf("[%08x] [%-8x] [%#010x] [%#x]\n", 0xbeef, 0xbeef, 0xbeef, 0);
    printf("[%hhd] [%hd] [%hhu] [%hu]\n", 300, 70000, 300, 70000);
    printf("[%ld] [%lu] [%lld] [%llu]\n", -5l, 5ul, -5ll, 18446744073709551615ull);
    printf("[%zu] [%zd] [%td] [%jd]\n", sizeof(int), (ssize_t)-1, (__PTRDIFF_TYPE__)5, (__INTMAX_TYPE__)-9);
    printf("[%i] [%5u] [%-5u]|\n", 9, 9, 9);
    printf("[%llx] [%lx] [%hhx]\n", 0x123456789abcdefll, 0xdeadbeefl & 0xffffffffl, 0x1ff);
    printf("%%|\n");
    return 0;
}
