//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `withdraw` reads `balance` before it takes the lock
#include <pthread.h>

int balance = 10;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *unused) {
    pthread_mutex_lock(&m);
    balance = balance + 10;
    pthread_mutex_unlock(&m);
    return unused;
}

void *withdraw(void *unused) {
    if (balance >= 5) {
        pthread_mutex_lock(&m);
        balance = balance - 5;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, deposit, NULL);
    pthread_create(&second, NULL, withdraw, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
