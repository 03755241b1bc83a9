//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     nobody was created, and 0 is nobody's name; POSIX: joining what is no joinable thread is undefined; glibc gives ESRCH for 0 and crashes for other numbers
#include <pthread.h>

static pthread_t thread;

int main(void) {
    pthread_join(thread, NULL);
    return 0;
}
