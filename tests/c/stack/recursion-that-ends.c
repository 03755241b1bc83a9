//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --stack 8000
//@ why:     the twin: five calls with 1,000 bytes each fit, again and again, because what returns gives its room back
#include <assert.h>

static int down(int *above, int left) {
    int room[250];
    room[0] = above[0] + 1;
    return left == 0 ? room[0] : down(room, left - 1);
}

int main(void) {
    int start = 0;
    assert(down(&start, 4) == 5);
    assert(down(&start, 4) == 5);
    assert(down(&start, 4) == 5);
    return 0;
}
