//@ truth:   uninitialized=unsafe
//@ options: --property uninitialized
//@ why:     a flag on the heap gets its first value by a loop that compares and exchanges, which looks at what lies there, as in a public thread pool
#include <stdlib.h>

struct pool {
    long is_running;
};

static long set(long *flag, long value) {
    long old;
    do
        old = *flag;
    while (!__sync_bool_compare_and_swap(flag, old, value));
    return old;
}

int main(void) {
    struct pool *pool = malloc(sizeof *pool);
    set(&pool->is_running, 1);
    free(pool);
    return 0;
}
