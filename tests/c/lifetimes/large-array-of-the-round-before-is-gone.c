//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ expect:   reference deadlock=unknown
//@ why:   the array of the second round holds nothing: to branch on it is undefined (C11 6.2.4p6), so nobody says safe
#include <assert.h>

int main(void) {
    int rounds = 0;
    for (int i = 0; i < 2; i++) {
        int row[100];
        if (i == 0)
            row[3] = 1;
        if (row[3])
            rounds++;
    }
    assert(rounds == 2);
    return 0;
}
