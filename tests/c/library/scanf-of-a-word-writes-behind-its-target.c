//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:   a word of one character ends with a second, for which there is no room
#include <stdio.h>

int main(void) {
    char word[1];
    scanf("%1s", word);
    return 0;
}
