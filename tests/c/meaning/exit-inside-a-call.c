#include <stdio.h>
#include <stdlib.h>
static void deep(int n) {
    if (n == 0)
        exit(42);
    deep(n - 1);
    printf("never\n");
}
int main(void) {
    printf("before\n");
    deep(5);
    return 1;
}
