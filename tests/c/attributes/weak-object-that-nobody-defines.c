//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     an undefined weak object is at address zero: gcc's program ends with a segmentation fault
extern int limit;
#pragma weak limit

int main(void) {
    limit = 1;
    return 0;
}
