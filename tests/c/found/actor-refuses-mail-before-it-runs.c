//@ truth:   assert=safe race=unsafe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     a message that comes before the actor's thread has said that it runs is refused, and the actor waits for ever, as in a public framework of actors
#include <pthread.h>

enum { CREATED, RUNNING };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static int status = CREATED, mail;

static void *run(void *unused) {
    status = RUNNING;
    pthread_mutex_lock(&lock);
    while (mail == 0)
        pthread_cond_wait(&came, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static int send(int message) {
    if (status != RUNNING)
        return -1;
    pthread_mutex_lock(&lock);
    mail = message;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t actor;
    pthread_create(&actor, 0, run, 0);
    send(7);
    pthread_join(actor, 0);
    return 0;
}
