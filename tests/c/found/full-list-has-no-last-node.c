//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     when the last free node was filled nothing comes after it, and the worker appends the node that it has emptied to nothing, as in a public thread pool
#include <pthread.h>
#include <semaphore.h>

struct job {
    int argument;
    struct job *next;
};

static struct job nodes[2] = {{0, &nodes[1]}, {0, 0}};
static struct job *filled = &nodes[0], *free_node = &nodes[0];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t jobs;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&jobs);
        pthread_mutex_lock(&lock);
        struct job *next = filled->next;
        filled->next = free_node->next;
        free_node->next = filled;
        filled = next;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    sem_init(&jobs, 0, 0);
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        free_node->argument = i;
        free_node = free_node->next;
        pthread_mutex_unlock(&lock);
        sem_post(&jobs);
    }
    pthread_join(worker, 0);
    sem_destroy(&jobs);
    return 0;
}
