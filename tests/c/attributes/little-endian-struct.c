//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     little-endian is the usual order, and a big-endian struct that nobody uses costs nothing
#include <assert.h>
#include <string.h>

struct __attribute__((scalar_storage_order("little-endian"))) little {
    int x;
};
#pragma scalar_storage_order big-endian
struct big {
    int x;
};
#pragma scalar_storage_order default

int main(void) {
    struct little b;
    b.x = 1;
    char bytes[sizeof b];
    memcpy(bytes, &b, sizeof b);
    assert(bytes[0] == 1 && sizeof(struct big) == 4);
    return 0;
}
