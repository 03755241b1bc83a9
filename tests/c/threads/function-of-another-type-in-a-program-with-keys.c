//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     functions that are named in `pthread_create` may have other types, with keys as without: compiled by gcc, the threads run, the destructor is called twice, and nobody looks at their results
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int done, ended;

static void end(void *value) {
    ended += *(int *)value;
}

static int one = 1;

static int with_number(long number) {
    pthread_setspecific(key, &one);
    done += number;
    return 7;
}

static void without_anything(void) {
    pthread_setspecific(key, &one);
    ++done;
}

static int *fitting(int *value) {
    done += *value;
    return value;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, end);
    pthread_create(&thread, NULL, (void *(*)(void *))with_number, (void *)5);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, (void *(*)(void *))without_anything, NULL);
    pthread_join(thread, &result);
    pthread_create(&thread, NULL, (void *(*)(void *))fitting, &one);
    pthread_join(thread, &result);
    assert(result == &one);
    assert(done == 7 && ended == 2);
    return 0;
}
