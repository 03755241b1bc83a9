//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     glibc gives EDEADLK, 35, to a thread that joins itself, and does not wait; under gcc the program ends
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), NULL);
    return 0;
}
