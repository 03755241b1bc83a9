//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody ever sets `stop`, but the server does something in each round
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static atomic_int parity;

static void *server(void *unused) {
    while (!atomic_load(&stop)) {
        atomic_fetch_xor(&parity, 1);
    }
    return unused;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, NULL, server, NULL);
    pthread_join(s, NULL);
    return 0;
}
