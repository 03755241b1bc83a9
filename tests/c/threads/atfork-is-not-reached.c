//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody asks for a handler
#include <pthread.h>

static void handler(void) {}

int main(int argc, char **argv) {
    if (argc == 0)
        pthread_atfork(handler, handler, handler);
    return 0;
}
