//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     a worker that found no job says so after the next job was announced, and then nobody looks for it, as in the example of a public primer
#include <pthread.h>
#include <stdatomic.h>

enum { IDLE, RUNNING, CANCELLED };
static atomic_int state = RUNNING, jobs, is_done;

static void *work(void *unused) {
    while (state != CANCELLED) {
        if (state != RUNNING)
            continue;
        int job = 1;
        if (atomic_compare_exchange_strong(&jobs, &job, 0))
            is_done = 1;
        else
            state = IDLE;
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    while (state != IDLE)
        ;
    jobs = 1;
    state = RUNNING;
    while (!is_done)
        ;
    return 0;
}
