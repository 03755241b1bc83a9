//@ truth: race=unsafe
//@ options: --property race
//@ why:   both calls of `setjmp` write to the same place, though nobody ever jumps there
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *set(void *unused) {
    (void)unused;
    return (void *)(long)setjmp(place);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    set(0);
    pthread_join(thread, 0);
    return 0;
}
