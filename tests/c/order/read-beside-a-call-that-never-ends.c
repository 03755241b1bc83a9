//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the operand on the right may be evaluated first (C17 6.5p3), before the call that would wait for ever
static int checked(const int *pointer) {
    if (!pointer)
        for (;;)
            ;
    return 0;
}

int main(void) {
    int *pointer = 0;
    return checked(pointer) + *pointer;
}
