//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each thread asks another control, so the routine runs twice
#include <assert.h>
#include <pthread.h>

static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static int x;

static void make(void) {
    x++;
}

static void *work(void *control) {
    pthread_once(control, make);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &once[0]);
    work(&once[1]);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
