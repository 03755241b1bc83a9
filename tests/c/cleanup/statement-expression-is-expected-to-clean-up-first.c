//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the scope of a statement expression is left when its value is known: gcc gives 0 for the second member
#include <assert.h>

static int released;

static void release(const int *number) {
    released += *number;
}

struct pair {
    int first, second;
};

static struct pair both(int x) {
    return ({
        __auto_type local __attribute__((cleanup(release))) = x;
        (struct pair){local, released};
    });
}

int main(void) {
    struct pair pair = both(4);
    assert(pair.first == 4 && pair.second == 4);
    assert(released == 4);
    return 0;
}
