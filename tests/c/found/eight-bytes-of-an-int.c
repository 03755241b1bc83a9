//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:     a test hands a ring the address of an `int`, from which it reads a pointer, as in a public collection of concurrent programs
#include <string.h>

static void *slots[4];

static void put(int at, void **object) { memcpy(&slots[at], object, sizeof *object); }

int main(void) {
    int value = 3;
    put(0, (void **)&value);
    return 0;
}
