//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the time-out is looked for in errno, where functions of threads leave nothing, so a wait that timed out says that the event came, as in a public kernel's port
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool has_come;
static int data;

static bool wait_for_it(const struct timespec *until) {
    int result = 0;
    pthread_mutex_lock(&lock);
    while (!has_come && result == 0) {
        result = pthread_cond_timedwait(&changed, &lock, until);
        if (result == -1 && errno == ETIMEDOUT)
            return false;
    }
    has_come = false;
    pthread_mutex_unlock(&lock);
    return true;
}

static void *tell(void *unused) {
    pthread_mutex_lock(&lock);
    data = 1;
    has_come = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec now = {0};
    pthread_create(&thread, NULL, tell, NULL);
    if (wait_for_it(&now)) {
        pthread_mutex_lock(&lock);
        assert(data == 1);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
