//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     there are two flags, so the function may run twice
#include <assert.h>
#include <threads.h>

static once_flag first = ONCE_FLAG_INIT, second = ONCE_FLAG_INIT;
static int x;

static void make(void) {
    x++;
}

static int work(void *once) {
    call_once(once, make);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, work, &first);
    work(&second);
    thrd_join(thread, NULL);
    assert(x == 1);
    return 0;
}
