//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --data-model ilp32
//@ why:     each block is written and read through its own pointer, also past the 272 whose pointers are split as those to large objects, and all are freed
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { COUNT = 290 };

char *blocks[COUNT];

void *work(void *unused)
{
    assert(*blocks[COUNT - 1] == (char)(COUNT - 1));
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
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    assert(blocks[280] != blocks[281] && *blocks[COUNT - 1] == 1);
    for (int i = 0; i < COUNT; i++) {
        assert(i == COUNT - 1 || *blocks[i] == (char)i);
        free(blocks[i]);
    }
    return 0;
}
