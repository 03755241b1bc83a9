//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   glibc resets the flag when the thread that runs the routine exits, so the second thread runs it again (gcc: the assertion fails)
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void set_up(void) {
    runs++;
    assert(runs == 1);
    pthread_exit(0);
}

static void *work(void *unused) {
    pthread_once(&once, set_up);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return 0;
}
