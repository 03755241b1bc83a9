//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     128 bits are two words, which no plain access of the machine writes at once
#include <pthread.h>

struct pair { int left, right; };
static volatile struct pair pair;
static volatile __int128 wide;

static void *writer(void *unused) {
    wide = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    wide = 2;
    pthread_join(thread, NULL);
    return 0;
}
