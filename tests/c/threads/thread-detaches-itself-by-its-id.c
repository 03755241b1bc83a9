//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the id is there when the thread runs, also where threads have values of keys
#include <pthread.h>

static pthread_t id;
static pthread_key_t key;

static void *work(void *argument)
{
    pthread_setspecific(key, argument);
    pthread_detach(id);
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_create(&id, NULL, work, NULL);
    pthread_exit(NULL);
}
