//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each thread has its own rest
#include <pthread.h>
#include <string.h>

static char first[] = "a", second[] = "b";

static void *other(void *unused) {
    char *rest;
    strtok_r(second, ",", &rest);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    char *rest;
    strtok_r(first, ",", &rest);
    pthread_join(thread, NULL);
    return 0;
}
