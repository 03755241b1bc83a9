//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   to lock a mutex is to modify it; built with gcc, the program dies of SIGSEGV
#include <pthread.h>

static const pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock((pthread_mutex_t *)&m);
    pthread_mutex_unlock((pthread_mutex_t *)&m);
    return 0;
}
