//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a plain access to 16 bytes is two with gcc, so the reader may see half of what is stored at once
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
    __int128 seen = number;
    assert((long)seen == (long)(seen >> 64));
    pthread_join(thread, 0);
    return 0;
}
