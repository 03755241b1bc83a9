//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   one byte and the zero behind it
#include <assert.h>
#include <stdio.h>

int main(void) {
    char word[2];
    if (scanf("%1s", word) != 1)
        return 1;
    assert(word[0] != ' ' && word[1] == 0);
    return 0;
}
