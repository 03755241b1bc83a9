//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:     who waits for readers walks their list without the lock under which one of them leaves it and is freed, as in a public library for reclaiming memory
#include <pthread.h>
#include <stdlib.h>

struct reader {
    struct reader *next;
    int epoch;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reader *readers;

static void *leave(void *unused) {
    pthread_mutex_lock(&lock);
    struct reader *first = readers;
    readers = first->next;
    pthread_mutex_unlock(&lock);
    free(first);
    return unused;
}

int main(void) {
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return 1;
    readers = reader;
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    int least = 9;
    for (struct reader *it = readers; it; it = it->next)
        if (it->epoch < least)
            least = it->epoch;
    pthread_join(thread, 0);
    return least == 9;
}
