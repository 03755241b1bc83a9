//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     a member of a volatile object is volatile (C17 6.5.2.3p3), and this one is of a word at most
#include <pthread.h>

struct pair { int left, right; };
static volatile struct pair pair;
static volatile __int128 wide;

static void *writer(void *unused) {
    pair.left = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pair.left = 2;
    pthread_join(thread, NULL);
    return 0;
}
