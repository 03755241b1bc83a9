//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ options: --data-model ilp32
//@ why:     the last block, past the 272 whose pointers are split as those to large objects, is freed before the thread writes to it (C11 7.22.3.3)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { COUNT = 290 };

char *blocks[COUNT];

void *work(void *unused)
{
    *blocks[COUNT - 1] = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = malloc(1);
        *blocks[i] = i;
    }
    char *last = blocks[COUNT - 1];
    free(last);
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
