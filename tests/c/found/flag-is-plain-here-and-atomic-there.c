//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a worker signs off with a plain store, and others read the flag atomically, as in a public ring buffer
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    unsigned seen;
    int registered;
};

static struct worker worker = {0, 1};

static void *sign_off(void *unused) {
    worker.registered = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sign_off, 0);
    bool is_there = __atomic_load_n(&worker.registered, __ATOMIC_ACQUIRE);
    pthread_join(thread, 0);
    return is_there;
}
