//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe invariant=safe
//@ why:     each field has its own sign and width; the wide one crosses bytes
static struct {
    unsigned int low : 3;
    signed int middle : 3;
    unsigned int wide : 12;
} flags = {5, -3, 0xabc};
static int numbers[3] = {4, 5, 6}, index;
//@ invariant flags.low == 5 && flags.middle >= -3 && flags.middle < 4 && flags.wide == 2748
//@ invariant numbers[index] == 4 + index

int main(void) {
    flags.middle = 3;
    flags.middle = -1;
    index = 2;
    return 0;
}
