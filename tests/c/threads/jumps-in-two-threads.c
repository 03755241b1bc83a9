//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   each thread jumps to its own call, and gives the lock back that it took before
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int failures;

static void work(jmp_buf *state, int amount) {
    pthread_mutex_lock(&mutex);
    if (amount > 1)
        longjmp(*state, amount);
    pthread_mutex_unlock(&mutex);
}

static void *run(void *argument) {
    jmp_buf state;
    switch (setjmp(state)) {
    case 0:
        work(&state, *(int *)argument);
        break;
    default:
        failures++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    int amounts[] = { 2, 3 };
    pthread_t thread;
    pthread_create(&thread, 0, run, &amounts[0]);
    run(&amounts[1]);
    pthread_join(thread, 0);
    assert(failures == 2);
    return 0;
}
