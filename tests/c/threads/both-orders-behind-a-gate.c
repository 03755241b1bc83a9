//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     two accounts are locked in both orders, but only one transfer at a time holds the bank
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
static struct account *mine, *yours;

static void transfer(struct account *from, struct account *to) {
    pthread_mutex_lock(&bank);
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_unlock(&bank);
}

static void *give(void *unused) {
    transfer(mine, yours);
    return unused;
}

int main(void) {
    pthread_t thread;
    mine = malloc(sizeof *mine);
    yours = malloc(sizeof *yours);
    mine->balance = yours->balance = 10;
    pthread_mutex_init(&mine->lock, NULL);
    pthread_mutex_init(&yours->lock, NULL);
    pthread_create(&thread, NULL, give, NULL);
    transfer(yours, mine);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mine->lock);
    pthread_mutex_destroy(&yours->lock);
    free(mine);
    free(yours);
    return 0;
}
