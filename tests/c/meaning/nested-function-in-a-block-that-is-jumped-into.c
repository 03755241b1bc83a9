#include <stdio.h>

static int pass(int (*get)(void)) {
    return get();
}

static int by_switch(int which) {
    switch (which) {
        int inner;
        int get(void) {
            return inner * 10;
        }
    case 0:
        inner = 1;
        return pass(get);
    case 1: {
        int deeper = 5;
        int both(void) {
            return inner + deeper;
        }
        inner = 2;
        return pass(both) + pass(get);
    }
    default:
        inner = 3;
        return get();
    }
}

static int by_goto(int count) {
    int sum = 0;
    goto inside;
    {
        int local;
    inside:
        local = count;
        int get(void) {
            return local + sum;
        }
        sum += pass(get);
        if (--count)
            goto inside;
    }
    return sum;
}

int main(void) {
    printf("%d %d %d\n", by_switch(0), by_switch(1), by_switch(2));
    printf("%d %d\n", by_goto(1), by_goto(3));
    return 0;
}
