//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a plain access to 128 bits is two accesses of 64 on x86-64, so the reader may see one half of each
#include <assert.h>
#include <pthread.h>

static unsigned __int128 wide;
static void *work(void *unused) {
    wide = ((unsigned __int128)1 << 64) + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    unsigned __int128 seen = wide;
    assert((unsigned long)seen == (unsigned long)(seen >> 64));
    pthread_join(thread, NULL);
    return 0;
}
