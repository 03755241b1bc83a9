//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     a call of an undefined weak function jumps to address zero: gcc's program ends with a segmentation fault
extern void hook(void) __attribute__((weak));

int main(void) {
    hook();
    return 0;
}
