//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody looks at what the pointer points to
extern void *__VERIFIER_nondet_pointer(void);

int main(void) {
    void *p = __VERIFIER_nondet_pointer();
    return p == 0;
}
