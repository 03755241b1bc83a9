//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     with -O0 gcc puts the table before the constructor, with -O1 behind it, where the assertion fails (aborted under gcc 12): neither order is promised
#include <assert.h>

static int at;

static void listed(void) { at = 1; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = listed;

__attribute__((constructor)) static void looks(void) { assert(at == 1); }

int main(void) {
    return 0;
}
