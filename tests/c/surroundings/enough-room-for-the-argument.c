//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --args=2
//@ why:     two threads for two ids; gcc -fsanitize=address: `./a.out 2` has nothing to say
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) { return argument; }

int main(int argc, char **argv)
{
    pthread_t threads[2];
    int count = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
