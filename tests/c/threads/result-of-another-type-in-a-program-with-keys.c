//@ truth:   race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ options: --property race --property deadlock --property memory --property lock-misuse --property uninitialized
//@ why:     the function returns nothing, so what `pthread_join` stores was never set: gcc's program prints what happens to be in a register
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;

static void without_anything(void) {
    pthread_setspecific(key, &key);
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, (void *(*)(void *))without_anything, NULL);
    pthread_join(thread, &result);
    if (result)
        puts("set");
    return 0;
}
