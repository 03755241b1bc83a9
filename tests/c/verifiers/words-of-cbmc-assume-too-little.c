//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     three may be moved, and without a section `main` reads while the thread writes
#include <pthread.h>

unsigned char nondet_uchar(void);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int right;

static void *move(void *unused) {
    unsigned char many = nondet_uchar();
    __CPROVER_assume(many < 4);
    __CPROVER_atomic_begin();
    right += many;
    __CPROVER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    __CPROVER_assert(right < 3, "no more than two");
    pthread_join(thread, NULL);
    return 0;
}
