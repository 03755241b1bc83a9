//@ truth:  assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect: reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:    what an object of another unit holds is not known, beside its lock too
#include <assert.h>
#include <pthread.h>

extern struct {
    pthread_mutex_t lock;
    int value;
} device;

int main(void)
{
    assert(device.value == 0);
    return 0;
}
