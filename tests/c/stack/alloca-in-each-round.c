//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ options: --stack 8000
//@ why:     what `alloca` gives stays until the function returns, so ten rounds take 10,000 bytes (gcc: a crash for 10 MB on 8)
#include <alloca.h>

int main(void) {
    for (int i = 0; i < 10; i++) {
        char *row = alloca(1000);
        row[0] = 1;
    }
    return 0;
}
