//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     locks on the heap get the value of a constant, which no lock operation has touched, as some programs do
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    pthread_mutex_t twice;
    int balance;
};

static const pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t free_twice = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct account *account;

static void *pay(void *unused) {
    pthread_mutex_lock(&account->lock);
    account->balance++;
    pthread_mutex_unlock(&account->lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    account = malloc(sizeof *account);
    if (!account)
        return 1;
    account->lock = free_lock;
    account->twice = free_twice;
    account->balance = 0;
    pthread_mutex_lock(&account->twice);
    pthread_mutex_lock(&account->twice);
    pthread_create(&thread, NULL, pay, NULL);
    pay(NULL);
    pthread_join(thread, NULL);
    free(account);
    return 0;
}
