//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the only pointer to the block lies across bytes 4092 to 4099 of the array, its neighbours are overwritten, and it is freed through what is read from there
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char room[100000];

void *work(void *unused)
{
    room[4091] = 1;
    room[4100] = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    char *block = malloc(8);
    block[3] = 9;
    memcpy(room + 4092, &block, sizeof block);
    block = 0;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    memcpy(&block, room + 4092, sizeof block);
    assert(block[3] == 9);
    free(block);
    return 0;
}
