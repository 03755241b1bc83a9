//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `ldv_assert` is what the program says it is, and holds
extern void __VERIFIER_error(void);
void ldv_assert(const char *description, int expression) {
    if (!expression)
        __VERIFIER_error();
}

int main(void) {
    ldv_assert("always", 1);
    return 0;
}
