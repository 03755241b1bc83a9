//@ truth: assert=safe memory=safe
//@ options: --property assert --property memory
//@ why:   every round makes the constants anew: their first values are no writes to constants
#include <assert.h>

struct pair { int a; int b; };

static int sum(const struct pair *p, const int *q) { return p->a + p->b + *q; }

int main(void) {
    int all = 0;
    for (int i = 0; i < 3; i++) {
        const struct pair p = { .b = i };
        const int q[4] = { i, 2 };
        const char text[] = "ab";
        const struct pair copy = p;
        all += sum(&copy, &q[0]) + (text[i] == 0);
    }
    assert(all == 7);
    return 0;
}
