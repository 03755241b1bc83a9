//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     the queue has room for as many pointers as it should have tasks, as in a public thread pool
#include <stdlib.h>

struct task {
    void (*run)(void *);
    void *argument;
};

int main(void) {
    int size = 4;
    struct task *queue = malloc(sizeof(struct task *) * size);
    if (!queue)
        return 1;
    for (int i = 0; i < size; i++)
        queue[i].argument = 0;
    free(queue);
    return 0;
}
