//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   clocks never go back; POSIX of CLOCK_MONOTONIC, and nobody sets the others
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    time_t first = time(NULL);
    struct timeval second;
    gettimeofday(&second, NULL);
    struct timespec third, fourth;
    timespec_get(&third, TIME_UTC);
    clock_gettime(CLOCK_MONOTONIC, &fourth);
    assert(first <= second.tv_sec);
    assert(second.tv_sec <= third.tv_sec);
    assert(third.tv_sec < fourth.tv_sec || third.tv_sec == fourth.tv_sec && third.tv_nsec <= fourth.tv_nsec);
    clock_t used = clock();
    assert(used <= clock());
    return 0;
}
