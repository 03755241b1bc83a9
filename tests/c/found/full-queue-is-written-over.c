//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody looks whether the ring of tasks is full, so the third task takes the place of the first, which is never done, as in a public thread pool
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2, TASKS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], front, rear, count, done[TASKS];

static void *work(void *unused) {
    for (int i = 0; i < TASKS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&available, &lock);
        int task = queue[front];
        front = (front + 1) % ROOM;
        count--;
        pthread_mutex_unlock(&lock);
        done[task]++;
    }
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < TASKS; i++) {
        pthread_mutex_lock(&lock);
        queue[rear] = i;
        rear = (rear + 1) % ROOM;
        count++;
        pthread_cond_signal(&available);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(worker, 0);
    assert(done[0] == 1);
    return 0;
}
