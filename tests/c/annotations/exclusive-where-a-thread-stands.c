//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread writes at one place only, and main after it has ended
#include <pthread.h>

static int x;
//@ exclusive x when at(writing) || at(main.after)

static void *work(void *unused) {
writing:
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
after:
    x = 2;
    return 0;
}
