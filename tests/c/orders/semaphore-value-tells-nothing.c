//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `sem_getvalue` is none of the functions that synchronise memory (POSIX XBD 4.12): what it saw may be gone, and orders nothing
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x, seen;

static void *work(void *unused) {
    x = 1;
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_getvalue(&s, &value);
    if (value == 1)
        seen = x;
    pthread_join(thread, NULL);
    return 0;
}
