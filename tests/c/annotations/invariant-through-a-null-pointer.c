//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe invariant=unsafe
//@ why:     an invariant that depends on what a null pointer leads to has no value
static int x = 1;
static int *p = &x;
//@ invariant *p == 1

int main(void) {
    p = 0;
    return 0;
}
