//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the id is stored to memory that was freed
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) { return NULL; }

int main(void)
{
    pthread_t *id = malloc(sizeof *id);
    free(id);
    pthread_create(id, NULL, work, NULL);
    return 0;
}
