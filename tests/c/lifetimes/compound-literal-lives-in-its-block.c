//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a compound literal lives as long as the block around it (C11 6.5.2.5p5), here that of `main` and of a round
#include <assert.h>

struct point { int x, y; };
static struct point *kept;

int main(void) {
    struct point *p = &(struct point){1, 2};
    for (int i = 0; i < 2; i++) {
        struct point *q = &(struct point){i, i};
        kept = q;
        p->x += kept->x;
    }
    assert(p->x == 2);
    return 0;
}
