//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ options: --args=3
//@ why:     the third thread has no room for its id; gcc -fsanitize=address: `./a.out 3` is a stack-buffer-overflow
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
