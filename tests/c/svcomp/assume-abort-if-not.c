//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the process ends before the error
extern void abort(void);
void reach_error() {}
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_bool();
    assume_abort_if_not(x);
    if (!x)
        reach_error();
    return 0;
}
