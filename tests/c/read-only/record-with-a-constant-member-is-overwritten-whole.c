//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `memcpy` modifies the member that is defined `const` (C11 6.7.3p6); gcc lets it through
#include <string.h>

struct account { const int id; int balance; };

int main(void) {
    struct account a = { 7, 100 }, b = { 8, 200 };
    memcpy(&a, &b, sizeof a);
    return 0;
}
