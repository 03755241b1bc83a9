//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the condition variable is destroyed when it is signalled
#include <threads.h>

static cnd_t c;

int main(void) {
    cnd_init(&c);
    cnd_destroy(&c);
    cnd_signal(&c);
    return 0;
}
