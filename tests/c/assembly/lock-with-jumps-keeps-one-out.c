//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     one thread takes the byte from 1 to 0, the other one spins until it is 1 again: the lock of old kernels
#include <assert.h>
#include <pthread.h>

static volatile unsigned char lock = 1;
static int inside;

static void spin_lock(void) {
    __asm__ volatile("1: lock; decb %0\n\t"
                     "jns 3f\n"
                     "2: rep; nop\n\t"
                     "cmpb $0, %0\n\t"
                     "jle 2b\n\t"
                     "jmp 1b\n"
                     "3:"
                     : "+m"(lock) : : "memory");
}

static void spin_unlock(void) {
    __asm__ volatile("movb $1, %0" : "+m"(lock) : : "memory");
}

static void *work(void *unused) {
    spin_lock();
    inside++;
    assert(inside == 1);
    inside--;
    spin_unlock();
    return unused;
}

int main(void) {
    
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
