//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     states keep large objects in pieces, and the last piece of this one is shorter than the others
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static char bytes[16384 + 256];
static atomic_int turns;

static void *work(void *unused) {
    turns++;
    bytes[0] = 1;
    turns++;
    bytes[16639] = 2;
    turns++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    turns++;
    pthread_join(thread, 0);
    bytes[16638] = 4;
    assert(bytes[0] == 1 && bytes[16639] == 2 && bytes[16638] == 4 && bytes[16500] == 0);
    return 0;
}
