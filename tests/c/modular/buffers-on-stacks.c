//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:  reference memory=unknown
//@ expect:   static memory=safe
//@ why:     each thread fills its own buffer up to its end
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
enum { ROOM = 3 };

static void fill(int *buffer, int from) {
    for (int at = from; at < ROOM; at++)
        buffer[at] = at;
}

static void *work(void *unused) {
    int buffer[ROOM];
    fill(buffer, 0);
    fill(buffer, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
