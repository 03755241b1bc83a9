//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads let `pthread_create` write `id`, and nothing orders them, also where threads have values of keys
#include <pthread.h>

static pthread_t id;
static pthread_key_t key;

static void *nothing(void *unused) { return unused; }

static void *maker(void *unused) {
    pthread_create(&id, NULL, nothing, NULL);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, NULL);
    pthread_create(&one, NULL, maker, NULL);
    pthread_create(&id, NULL, nothing, NULL);
    pthread_join(one, NULL);
    return 0;
}
