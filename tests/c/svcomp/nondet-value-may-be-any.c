//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the value may be 77
extern char __VERIFIER_nondet_char(void);
void reach_error() {}

int main(void) {
    if (__VERIFIER_nondet_char() == 77)
        reach_error();
    return 0;
}
