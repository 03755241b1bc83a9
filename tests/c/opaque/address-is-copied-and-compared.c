//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     addresses of two variables of other files differ, are not null, and nobody follows them
#include <assert.h>
#include <pthread.h>

struct module;
struct operations {
    struct module *owner;
    int (*open)(int);
};

extern struct module this_module;
extern long jiffies;

static int open_device(int minor) {
    return minor + 1;
}

static struct operations operations = {&this_module, open_device};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opened;

static void *worker(void *argument) {
    struct operations *found = argument;
    assert(found->owner == &this_module);
    pthread_mutex_lock(&lock);
    opened += found->open(0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    long *clock = &jiffies;
    assert(clock != 0 && (void *)clock != (void *)operations.owner);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &operations);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(opened == 2);
    return 0;
}
