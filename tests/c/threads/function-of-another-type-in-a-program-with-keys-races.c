//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread begins with a function without parameters, and it runs: ThreadSanitizer reports the race with `main` in the program that gcc makes
#include <pthread.h>

static pthread_key_t key;
static int shared;

static void without_anything(void) {
    pthread_setspecific(key, &key);
    ++shared;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, (void *(*)(void *))without_anything, NULL);
    ++shared;
    pthread_join(thread, NULL);
    return 0;
}
