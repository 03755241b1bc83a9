//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe invariant=safe
//@ why:     the two counters change under the mutex, one before the other, and differ by one at most
#include <pthread.h>

//@ invariant pair.first == pair.second || pair.first == pair.second + 1
//@ invariant limits[1] - limits[0] > 2 && name != 0
static struct {
    int first;
    unsigned char second;
} pair;
static int limits[2] = {-1, 2};
static const char *name = "pair";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    pair.first++;
    pair.second++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
