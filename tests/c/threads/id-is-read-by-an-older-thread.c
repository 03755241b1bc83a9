//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   nothing orders the store of the second id and the read of the first thread; gcc -fsanitize=thread reports it
#include <pthread.h>

static pthread_t first, second;

static void *look(void *argument) { return second ? &second : NULL; }
static void *work(void *argument) { return NULL; }

int main(void)
{
    pthread_create(&first, NULL, look, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(second, NULL);
    pthread_join(first, NULL);
    return 0;
}
