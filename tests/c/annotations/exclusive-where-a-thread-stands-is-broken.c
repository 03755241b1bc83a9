//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main writes wherever the thread stands
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
after:
    x = 2;
    pthread_join(thread, NULL);
    return 0;
}
