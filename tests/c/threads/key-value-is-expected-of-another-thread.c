//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     the value belongs to `main`; the thread gets the null pointer and reads through it
#include <pthread.h>

static pthread_key_t key;
static int value, seen;

static void *work(void *unused) {
    seen = *(int *)pthread_getspecific(key);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &value);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
