//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     signal 0 only asks whether the thread is there; signals are not modelled
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

int main(void) {
    pthread_kill(pthread_self(), 0);
    return 0;
}
