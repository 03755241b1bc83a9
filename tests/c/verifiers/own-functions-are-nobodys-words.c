//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     what the program defines itself is what it says, whatever it is called
int reached;

int nondet_int(void) { return 3; }
void assert(int holds) { reached += holds ? 0 : 1; }
int nondet_of(int most) { return most - 1; }
void __CPROVER_assume(int holds) { reached += holds ? 0 : 1; }
void __VERIFIER_error(void);

int main(void) {
    __CPROVER_assume(nondet_int() == 4);
    assert(nondet_of(2) == 0);
    if (reached != 2)
        __VERIFIER_error();
    return 0;
}
