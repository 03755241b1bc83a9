//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the thread may come to the semaphore before main has initialised it; POSIX: only semaphores that `sem_init` made may be used
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sem_init(&s, 0, 1);
    pthread_join(thread, NULL);
    return 0;
}
