//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `a` ends with its round of the loop (C11 6.2.4p6), the thread reads it later; gcc -fsanitize=address reports stack-use-after-scope
#include <pthread.h>

static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    pthread_mutex_lock(&m);
    sum += *(int *)argument;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int a = i;
        pthread_create(&threads[i], 0, add, &a);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
