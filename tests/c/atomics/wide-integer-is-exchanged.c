//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `__sync_` and `__atomic_` builtins on 16 bytes are one access (cmpxchg16b, or a lock of libatomic)
#include <assert.h>
#include <pthread.h>

static __int128 number;

static void *writer(void *unused)
{
    __int128 both = ((__int128)1 << 64) + 1;
    assert(__sync_bool_compare_and_swap(&number, 0, both));
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    __int128 seen = __sync_val_compare_and_swap(&number, (__int128)7, (__int128)8);
    assert((long)seen == (long)(seen >> 64));
    __int128 loaded;
    __atomic_load(&number, &loaded, __ATOMIC_SEQ_CST);
    assert((long)loaded == (long)(loaded >> 64));
    pthread_join(thread, 0);
    return 0;
}
