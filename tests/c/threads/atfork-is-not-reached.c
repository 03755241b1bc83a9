//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody asks for a handler
#include <pthread.h>

static int wanted;
static void handler(void) {}

int main(void) {
    if (wanted)
        pthread_atfork(handler, handler, handler);
    return 0;
}
