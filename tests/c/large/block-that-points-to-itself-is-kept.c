//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the block holds its own address, and another that the list leads to holds it too until it is freed
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
} *list;

void *work(void *unused)
{
    struct node *second = malloc(sizeof *second);
    second->next = list;
    list->next = list;
    list = second;
    return 0;
}

int main(void)
{
    pthread_t other;
    list = malloc(sizeof *list);
    list->next = 0;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    struct node *first = list->next;
    assert(first->next == first);
    free(list);
    list = 0;
    free(first);
    return 0;
}
