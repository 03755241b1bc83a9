//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     nobody gets more than half of the address space, and a null pointer is written through
#include <stdlib.h>

int main(void) {
    char *text = malloc(-1);
    *text = 'a';
    return 0;
}
