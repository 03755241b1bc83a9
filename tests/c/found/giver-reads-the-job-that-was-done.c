//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     whoever gives a job to the workers reads in it afterwards, when one of them may have done and freed it, as in a public thread pool
#include <pthread.h>
#include <stdlib.h>

struct job {
    int *result;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *waiting;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    struct job *job = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    if (job) {
        *job->result = 1;
        free(job);
    }
    return unused;
}

static int *give(int *result) {
    struct job *job = malloc(sizeof *job);
    job->result = result;
    pthread_mutex_lock(&lock);
    waiting = job;
    pthread_mutex_unlock(&lock);
    return job->result;
}

int main(void) {
    pthread_t thread;
    int result = 0;
    pthread_create(&thread, NULL, work, NULL);
    int *given = give(&result);
    pthread_join(thread, NULL);
    free(waiting);
    return given != &result;
}
