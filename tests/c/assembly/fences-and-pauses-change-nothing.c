//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     none of the instructions reads or writes what the program can see
#include <assert.h>
#include <pthread.h>
#include <xmmintrin.h>
#include <emmintrin.h>

static int count;

static void *work(void *unused) {
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("pause\n\tlfence\n\tsfence\n\tmfence" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock; orq $0, (%rsp)");
    __builtin_ia32_pause();
    _mm_pause();
    _mm_mfence();
    _mm_lfence();
    _mm_sfence();
    __sync_fetch_and_add(&count, 1);
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
