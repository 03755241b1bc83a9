//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   a member of a `const` struct is `const` (C11 6.7.3p9, 6.5.2.3), and so is an element of a `const` array; built with gcc, the program dies of SIGSEGV
#include <string.h>

struct limits { int low, high[2]; };
static const struct limits limits[2] = {{1, {2, 3}}, {4, {5, 6}}};

int main(void) {
    memset((void *)&limits[1].high[1], 0, sizeof(int));
    return 0;
}
