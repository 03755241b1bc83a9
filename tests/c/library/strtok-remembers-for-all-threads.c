//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `strtok` keeps the rest in one place for all threads
#include <pthread.h>
#include <string.h>

static char first[] = "a", second[] = "b";

static void *other(void *unused) {
    strtok(second, ",");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    strtok(first, ",");
    pthread_join(thread, NULL);
    return 0;
}
