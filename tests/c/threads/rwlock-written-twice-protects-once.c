//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the second `pthread_rwlock_wrlock` gave EDEADLK and took nothing, so the second release is one too many
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
