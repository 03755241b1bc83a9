//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the block holds its own address when the last pointer to it from outside goes: LeakSanitizer calls it a direct leak
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
} *list;

void *work(void *unused)
{
    list->next = list;
    list = 0;
    return 0;
}

int main(void)
{
    pthread_t other;
    list = malloc(sizeof *list);
    list->next = 0;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return 0;
}
