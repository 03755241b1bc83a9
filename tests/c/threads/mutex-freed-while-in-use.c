//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     main frees the mutex that the thread may still lock
#include <pthread.h>
#include <stdlib.h>

static void *work(void *m) {
    pthread_mutex_lock(m);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    pthread_create(&thread, NULL, work, m);
    free(m);
    return 0;
}
