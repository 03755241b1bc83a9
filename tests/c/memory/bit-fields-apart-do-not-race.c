//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a bit-field without width begins another memory location (C11 3.14)
#include <pthread.h>

struct flags {
    unsigned left : 8;
    unsigned : 0;
    unsigned right : 8;
} flags;

static void *set_left(void *unused)
{
    flags.left = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set_left, 0);
    flags.right = 1;
    pthread_join(thread, 0);
    return 0;
}
