//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `p` is the only pointer to the memory and ends with its block, so nobody can free it; gcc -fsanitize=address reports a leak
#include <stdlib.h>

static int work(void) { return 1; }

int main(void) {
    int sum = 0;
    if (work()) {
        int *p = malloc(sizeof *p);
        *p = 1;
        sum += *p;
    }
    while (sum < 2)
        sum += work();
    return 0;
}
