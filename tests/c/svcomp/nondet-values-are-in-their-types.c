//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     every value lies in the range of its type
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
void reach_error() {}

static void within(int value, int least, int most) {
    if (value < least || value > most)
        reach_error();
}

int main(void) {
    within(__VERIFIER_nondet_bool(), 0, 1);
    within(__VERIFIER_nondet_uchar(), 0, 255);
    within(__VERIFIER_nondet_char(), -128, 127);
    return 0;
}
