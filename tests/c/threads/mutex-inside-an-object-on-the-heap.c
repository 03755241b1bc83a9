//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the mutex lies between other members of an allocated struct
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    char name;
    pthread_mutex_t m;
    int balance;
};

static void *work(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->m);
    account->balance++;
    pthread_mutex_unlock(&account->m);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct account *account = malloc(sizeof *account);
    account->name = 'a';
    account->balance = 0;
    pthread_mutex_init(&account->m, NULL);
    pthread_create(&thread, NULL, work, account);
    work(account);
    pthread_join(thread, NULL);
    assert(account->balance == 2);
    pthread_mutex_destroy(&account->m);
    free(account);
    return 0;
}
