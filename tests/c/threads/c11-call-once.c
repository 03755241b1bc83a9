//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the function runs once, and is over when either thread goes on
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int x;

static void make(void) {
    x++;
}

static int work(void *unused) {
    call_once(&once, make);
    assert(x == 1);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, work, NULL);
    work(NULL);
    thrd_join(thread, NULL);
    return 0;
}
