//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options: --posix-create
//@ why:     both makers let `pthread_create` write `id`, and nothing orders them
#include <pthread.h>

static pthread_t id;

static void *nothing(void *unused) { return unused; }

static void *maker(void *unused) {
    pthread_create(&id, NULL, nothing, NULL);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, maker, NULL);
    pthread_create(&other, NULL, maker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
