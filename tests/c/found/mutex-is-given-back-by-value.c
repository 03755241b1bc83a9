//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     a function makes a mutex in a local and returns its bytes; what is taken is a copy, which POSIX does not let one use, as in a public library
#include <pthread.h>

union mutex {
    long align;
    char bytes[sizeof(pthread_mutex_t)];
};

static union mutex make(void) {
    union mutex mutex;
    pthread_mutex_init((pthread_mutex_t *)&mutex, NULL);
    return mutex;
}

int main(void) {
    union mutex mutex = make();
    pthread_mutex_lock((pthread_mutex_t *)&mutex);
    pthread_mutex_unlock((pthread_mutex_t *)&mutex);
    return 0;
}
