//@ truth:   lock-misuse=unsafe
//@ options: --property lock-misuse
//@ why:     the switch jumps over the declaration, so the mutex that is copied was never made
#include <pthread.h>

static pthread_mutex_t lock;

int main(int count, char **arguments) {
    (void)arguments;
    switch (count) {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    default:
        lock = mutex;
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
