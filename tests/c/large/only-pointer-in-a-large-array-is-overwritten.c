//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the only pointer to the block lies across bytes 4092 to 4099 of the array, and they are overwritten one by one: LeakSanitizer calls it a direct leak
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char room[100000];

void *work(void *unused)
{
    for (int i = 0; i < 8; i++)
        room[4092 + i] = 0;
    return 0;
}

int main(void)
{
    pthread_t other;
    char *block = malloc(8);
    memcpy(room + 4092, &block, sizeof block);
    block = 0;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return 0;
}
