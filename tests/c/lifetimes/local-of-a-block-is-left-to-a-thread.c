//@ truth: race=unsafe
//@ options: --property race
//@ why:   the local ends with its block, which counts as a write, while the other thread may still read it (gcc with -fsanitize=thread or address tells at times)
#include <pthread.h>

static void *look(void *p) { return *(int *)p ? p : 0; }

int main(void) {
    pthread_t t;
    {
        int shared = 1;
        pthread_create(&t, 0, look, &shared);
    }
    pthread_join(t, 0);
    return 0;
}
