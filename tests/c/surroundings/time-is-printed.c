//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   what is printed tells no two executions apart
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *work(void *argument)
{
    clock_t begin = clock();
    printf("%f\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    return NULL;
}

int main(void)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%ld\n", (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec);
    return 0;
}
