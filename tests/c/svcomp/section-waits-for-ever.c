//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     nobody sets what the section waits for
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

static int flag;

int main(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(flag == 1);
    __VERIFIER_atomic_end();
    return 0;
}
