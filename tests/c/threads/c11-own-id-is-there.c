//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `thrd_create` of glibc stores the id before the thread runs
#include <assert.h>
#include <threads.h>

static thrd_t id;

static int work(void *argument)
{
    assert(thrd_equal(id, thrd_current()));
    return 0;
}

int main(void)
{
    thrd_create(&id, work, NULL);
    thrd_join(id, NULL);
    return 0;
}
