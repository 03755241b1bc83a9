//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     element 1 is written under the lock of element 0
#include <pthread.h>

struct slot {
    pthread_mutex_t lock;
    int count;
};
static struct slot slots[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};
//@ exclusive slots[j].count when owner(slots[j].lock) == self

static void *work(void *unused) {
    pthread_mutex_lock(&slots[1].lock);
    slots[1].count++;
    pthread_mutex_unlock(&slots[1].lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&slots[0].lock);
        slots[i].count++;
        pthread_mutex_unlock(&slots[0].lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
