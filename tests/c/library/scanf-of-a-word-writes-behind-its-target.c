//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:   nobody says how long the word may be
#include <stdio.h>

int main(void) {
    char word[2];
    scanf("%s", word);
    return 0;
}
