//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --stack 8000
//@ why:     the twin: 5,000 bytes in each of two threads and in `main` are in three stacks
#include <pthread.h>

static volatile int count = 5000;
static void *work(void *unused) {
    char large[count];
    large[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread, other;
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
