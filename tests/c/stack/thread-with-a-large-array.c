//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     a thread has 8 MiB too, and an array of variable length takes 10 MB of them: gcc -O0's program ends with a segmentation fault
#include <pthread.h>

static volatile int count = 10000000;
static void *work(void *unused) {
    char large[count];
    large[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
