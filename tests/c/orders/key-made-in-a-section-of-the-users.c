//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ expect:  explicit race=unknown
//@ why:     making a key orders nothing; the section around it may, and it is the outer one that counts
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_key_t key;
static int data, seen, is_made;
static atomic_int count;

static void *run(void *unused) {
    data = 42;
    __VERIFIER_atomic_begin();
    pthread_key_create(&key, NULL);
    is_made = 1;
    __VERIFIER_atomic_end();
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int is_there;
    __VERIFIER_atomic_begin();
    is_there = is_made;
    __VERIFIER_atomic_end();
    if (is_there)
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
