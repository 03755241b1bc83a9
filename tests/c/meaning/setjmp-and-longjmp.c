// Jumps to calls that are under way: from the call itself, from callees, through library functions and pointers, with
// several places in one call, in loops, out of blocks with objects of their own, and nested.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf state, other;

struct text { char bytes[24]; };

static int fail(int code) {
    if (code > 3)
        longjmp(state, code);
    return code;
}

static struct text middle(int code) {
    struct text text = { "whole" };
    double kept = 0.5;
    kept += fail(code);
    text.bytes[0] = 'a' + (int)kept;
    return text;
}

static int direct(void) {
    volatile int rounds = 0;
    jmp_buf here;
    int seen = setjmp(here);
    rounds++;
    if (seen < 4)
        longjmp(here, seen + 1);
    return seen * 10 + rounds;
}

static int through_calls(int code) {
    volatile int before = 1;
    switch (setjmp(state)) {
    case 0:
        before = 2;
        printf("%s ", middle(code).bytes);
        return before;
    case 4:
        return before * 100 + 4;
    default:
        return -before;
    }
}

static int compare(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    if (a == 13 || b == 13)
        longjmp(state, 7);
    return a - b;
}

static int sorted(int third) {
    int numbers[4] = { 4, 2, third, 1 };
    int code = setjmp(state);
    if (code)
        return code;
    qsort(numbers, 4, sizeof numbers[0], compare);
    return numbers[0] * 1000 + numbers[3];
}

static int two_places(void) {
    volatile int log = 0;
    if (setjmp(state)) {
        log = log * 10 + 1;
        longjmp(other, 1);
    }
    if (setjmp(other)) {
        log = log * 10 + 2;
        return log;
    }
    fail(9);
    return 0;
}

static int out_of_blocks(void) {
    volatile int count = 0;
    int *volatile last = 0;
    for (int i = 0; i < 3; i++) {
        jmp_buf inner;
        if (!setjmp(inner)) {
            int own[3] = { i, count, 2 };
            last = own;
            count += last[0] + 1;
            if (count % 2)
                longjmp(inner, 1);
            count += 10;
        } else {
            count += 100;
        }
    }
    return count;
}

static int nested_calls(int depth) {
    jmp_buf saved;
    int own = depth;
    if (depth == 0)
        longjmp(other, 5);
    if (setjmp(saved))
        return 1;
    return own + nested_calls(depth - 1);
}

static void retry(void) {
    static int tries;
    int got = setjmp(state);
    printf("try %d gave %d\n", ++tries, got);
    void (*jump)(struct __jmp_buf_tag *, int) = longjmp;
    if (tries < 3)
        jump(state, 0);
}

int main(void) {
    printf("%d\n", direct());
    printf("%d\n", through_calls(2));
    printf("%d %d\n", through_calls(4), through_calls(5));
    printf("%d %d\n", sorted(3), sorted(13));
    printf("%d %d\n", two_places(), out_of_blocks());
    int code = setjmp(other);
    if (code == 0)
        nested_calls(4);
    printf("%d\n", code);
    retry();
    void *buffer[5];
    if (__builtin_setjmp(buffer) == 0)
        puts("first");
    else
        puts("again");
    if (_setjmp(other) != 0)
        return 3;
    _longjmp(other, 1);
}
