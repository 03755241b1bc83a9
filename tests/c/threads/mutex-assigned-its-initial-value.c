//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the local mutex gets its initial value by an assignment, as many programs do
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m;
static pthread_cond_t c;

int main(void) {
    m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    c = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
