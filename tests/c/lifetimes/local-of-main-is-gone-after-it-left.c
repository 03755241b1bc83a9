//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `main` leaves by `pthread_exit`, which ends its thread with all its automatic objects (POSIX pthread_exit), and the other thread still reads one
#include <pthread.h>

static void *read_it(void *argument) {
    return (void *)(long)*(int *)argument;
}

int main(void) {
    int a = 1;
    pthread_t thread;
    pthread_create(&thread, 0, read_it, &a);
    pthread_exit(0);
}
