//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the first that runs the routine exits inside, the other, which may wait meanwhile, runs it to its end (gcc: the assertion holds)
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, done;

static void set_up(void) {
    runs++;
    if (runs == 1)
        pthread_exit(0);
    done = 1;
}

static void *work(void *unused) {
    pthread_once(&once, set_up);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_once(&once, set_up);
    assert(runs == 2 && done == 1);
    return 0;
}
