//@ truth:    assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:      the text does not fit; the place is the call, because nobody wrote the library's
#include <string.h>

int main(void) {
    char small[4];
    strcpy(small, "long");
    return small[0];
}
