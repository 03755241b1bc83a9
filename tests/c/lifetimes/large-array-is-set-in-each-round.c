//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each round reads what it wrote itself
#include <assert.h>

int main(void) {
    int rounds = 0;
    for (int i = 0; i < 2; i++) {
        int row[100];
        row[3] = 1;
        if (row[3])
            rounds++;
    }
    assert(rounds == 2);
    return 0;
}
