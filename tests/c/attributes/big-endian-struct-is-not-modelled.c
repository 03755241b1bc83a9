//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     the first byte of the big-endian 1 is 0: gcc's program aborts; such members are not modelled
#include <assert.h>
#include <string.h>

struct __attribute__((scalar_storage_order("big-endian"))) big {
    int x;
};

int main(void) {
    struct big b;
    b.x = 1;
    char bytes[sizeof b];
    memcpy(bytes, &b, sizeof b);
    assert(bytes[0] == 1);
    return 0;
}
