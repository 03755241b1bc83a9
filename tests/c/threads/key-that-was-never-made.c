//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a key that nobody made gives EINVAL
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    assert(pthread_key_create(&key, NULL) == 0);
    assert(pthread_setspecific(key + 1, &key) == EINVAL);
    assert(pthread_key_delete(key + 1) == EINVAL);
    assert(pthread_setspecific(key, &key) == 0);
    return 0;
}
