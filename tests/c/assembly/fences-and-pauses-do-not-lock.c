//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a fence keeps nobody out: both threads may read before one writes
#include <assert.h>
#include <pthread.h>
#include <xmmintrin.h>
#include <emmintrin.h>

static int count;

static void *work(void *unused) {
    _mm_mfence();
    int old = count;
    _mm_pause();
    count = old + 1;
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
