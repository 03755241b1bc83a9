//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     an acquire fence before `free` is enough: the drop has read from the releases of all others
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int value[2];
};

static void drop(struct shared *s) {
    if (atomic_fetch_sub_explicit(&s->references, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(s);
    }
}

static void *work(void *argument) {
    struct shared *s = argument;
    s->value[0] = 1;
    drop(s);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return 0;
    atomic_init(&s->references, 2);
    pthread_create(&thread, NULL, work, s);
    s->value[1] = 2;
    drop(s);
    pthread_join(thread, NULL);
    return 0;
}
