//@ truth: assert=safe memory=safe
//@ options: --property assert --property memory
//@ why:   only `id` is constant; the other members may be written, in every element and by any pointer
#include <assert.h>

struct account { const int id; int balance; };

static struct account all[2] = { { 1, 10 }, { 2, 20 } };

static void pay(struct account *a) { *(int *)&a->balance -= 5; }

int main(void) {
    struct account own[2] = { { 7, 100 }, { 8, 200 } };
    pay(&own[1]);
    pay(&all[0]);
    assert(own[1].id + own[1].balance + all[0].balance == 8 + 195 + 5);
    return 0;
}
