//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the local mutex keeps its first value, and what gets it is made so; as in a public library, before it is made by a call
#include <pthread.h>
#include <stdlib.h>

struct condition {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int is_done;
};

static struct condition *make(int by_call) {
    struct condition *made = malloc(sizeof *made);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    if (!made)
        exit(1);
    made->mutex = mutex;
    made->condition = condition;
    made->is_done = 0;
    if (by_call)
        pthread_mutex_init(&made->mutex, NULL);
    return made;
}

static void *tell(void *told) {
    struct condition *condition = told;
    pthread_mutex_lock(&condition->mutex);
    condition->is_done = 1;
    pthread_cond_signal(&condition->condition);
    pthread_mutex_unlock(&condition->mutex);
    return NULL;
}

int main(void) {
    for (int by_call = 0; by_call < 2; by_call++) {
        pthread_t thread;
        struct condition *condition = make(by_call);
        pthread_create(&thread, NULL, tell, condition);
        pthread_mutex_lock(&condition->mutex);
        while (!condition->is_done)
            pthread_cond_wait(&condition->condition, &condition->mutex);
        pthread_mutex_unlock(&condition->mutex);
        pthread_join(thread, NULL);
        free(condition);
    }
    return 0;
}
