//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the number that the function returns is what `thrd_join` stores, negative ones too
#include <assert.h>
#include <threads.h>

static int x;

static int work(void *argument) {
    x = *(int *)argument;
    return -5;
}

int main(void) {
    thrd_t thread;
    int argument = 3, result;
    assert(thrd_create(&thread, work, &argument) == thrd_success);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == -5 && x == 3);
    return 0;
}
