//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the number is nobody's name; POSIX: detaching what is no joinable thread is undefined, and under gcc the program crashes
#include <pthread.h>

int main(void) {
    pthread_detach((pthread_t)4096);
    return 0;
}
