//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each drop releases what its thread did, and the last one, which frees, has acquired all of them; taking a reference needs no order
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int value[2];
};

static void drop(struct shared *s) {
    if (atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) == 1)
        free(s);
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
    atomic_init(&s->references, 1);
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
    pthread_create(&thread, NULL, work, s);
    s->value[1] = 2;
    drop(s);
    pthread_join(thread, NULL);
    return 0;
}
