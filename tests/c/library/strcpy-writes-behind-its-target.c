//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:   four letters and the end take five bytes
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *target = malloc(4);
    strcpy(target, "four");
    free(target);
    return 0;
}
