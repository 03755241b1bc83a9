//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the struct is `const`, what its member points to is not; threads that only read a constant do not race
#include <assert.h>
#include <pthread.h>

static int counter;
static const struct { int *target; int step; } task = {&counter, 2};

static void *read_only(void *argument) {
    (void)argument;
    assert(task.step == 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, read_only, 0);
    *task.target += task.step;
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
