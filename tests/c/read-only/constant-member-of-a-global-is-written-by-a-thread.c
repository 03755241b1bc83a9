//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `id` is an object that is defined `const` (C11 6.7.3p6); gcc lets it through
#include <pthread.h>
#include <stddef.h>

struct account { const int id; int balance; };

static struct account all[2] = { { 1, 10 }, { 2, 20 } };

static void *rename(void *p) {
    *(int *)((char *)p + offsetof(struct account, id)) = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, rename, &all[1]);
    pthread_join(t, 0);
    return 0;
}
