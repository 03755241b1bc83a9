//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a reader clears its bits in a word by a load and a store, and in between another thread links its node in the same word, as in a public RCU
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NESTING = 3 };
static struct node {
    atomic_uintptr_t next_and_nesting;
} reader, newcomer;

static void *read_something(void *unused) {
    atomic_fetch_or(&reader.next_and_nesting, 1);
    uintptr_t seen = atomic_load(&reader.next_and_nesting);
    atomic_store(&reader.next_and_nesting, seen & ~(uintptr_t)NESTING);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, read_something, 0);
    atomic_fetch_or(&reader.next_and_nesting, (uintptr_t)&newcomer);
    pthread_join(thread, 0);
    assert((atomic_load(&reader.next_and_nesting) & ~(uintptr_t)NESTING) != 0);
    return 0;
}
