//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     ACSL is not for us
int x;

/*@ requires x >= 0;
    ensures x > 0; */
static void increment(void) {
    /*@ assert x >= 0; */
    x++;
}

int main(void) {
    increment();
    return 0;
}
