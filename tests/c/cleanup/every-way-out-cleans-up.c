//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     gcc wraps what follows the declaration into a block that is left through the cleanup, whichever way: the program runs through there
#include <assert.h>

static int released;

static void release(int *number) {
    released = released * 10 + *number;
}

#define SCOPED __attribute__((cleanup(release)))

static void fall_out(void) {
    int a SCOPED = 1;
    {
        int b SCOPED = 2;
        int c SCOPED = 3;
    }
}

static void loop(void) {
    for (int i = 4; i < 8; i++) {
        int each SCOPED = i;
        if (i == 5)
            continue;
        if (i == 6)
            break;
    }
}

static void jump(int times) {
    int outer SCOPED = 9;
again:;
    int inner SCOPED = times;
    if (--times)
        goto again;
    if (inner)
        goto out;
    assert(0);
out:;
}

static int leave(int number) {
    int a SCOPED = number;
    {
        int b SCOPED = number + 1;
        if (number)
            return a + b;
    }
    return 0;
}

static void choose(int number) {
    switch (number) {
        int local SCOPED;
    case 1:
        local = 1;
        break;
    default:
        local = 8;
    }
}

int main(void) {
    fall_out();
    assert(released == 321);
    released = 0;
    loop();
    assert(released == 456);
    released = 0;
    jump(2);
    assert(released == 219);
    released = 0;
    assert(leave(3) == 7);
    assert(released == 43);
    released = 0;
    choose(1);
    choose(2);
    assert(released == 18);
    return 0;
}
