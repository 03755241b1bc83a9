//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   the array with the only pointers to the memory ends with each round of the loop; gcc -fsanitize=address reports leaks
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct { int *first, *second; } both;
        both.first = malloc(sizeof(int));
        both.second = malloc(sizeof(int));
        free(both.first);
    }
    return 0;
}
