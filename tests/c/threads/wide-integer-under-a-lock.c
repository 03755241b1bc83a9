//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: both halves are written and read under the lock, and keep their sign and place
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __int128 wide = -2;
static struct { char c; __int128 x; } pair, copy;
static void *work(void *unused) {
    pthread_mutex_lock(&m);
    wide = ((__int128)1 << 64) + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(wide == -2);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&m);
    __int128 seen = wide;
    pthread_mutex_unlock(&m);
    assert(seen == -2 || (long)seen == (long)(seen >> 64));
    pthread_join(thread, NULL);
    pair.x = -wide;
    copy = pair;
    assert(copy.x == -(((__int128)1 << 64) + 1));
    return 0;
}
