#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int main(void) {
    char name[16];
    printf("%d\n", pthread_setname_np(pthread_self(), "worker"));
    {
        int a = pthread_getname_np(pthread_self(), name, sizeof name);
        printf("%d %s\n", a, name);
    }
    printf("%d\n", pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
    {
        int a = prctl(PR_SET_NAME, "longer than fifteen");
        int b = prctl(PR_GET_NAME, name);
        printf("%d %d\n", a, b);
    }
    printf("%s\n", name);
    printf("%d\n", pthread_getname_np(pthread_self(), name, 3) == ERANGE);
    cpu_set_t set;
    CPU_ZERO(&set);
    {
        int a = sched_getaffinity(0, sizeof set, &set);
        int b = CPU_COUNT(&set) > 0;
        printf("%d %d\n", a, b);
    }
    {
        int a = pthread_getaffinity_np(pthread_self(), sizeof set, &set);
        int b = CPU_ISSET(0, &set) != 0;
        printf("%d %d\n", a, b);
    }
    {
        int a = sched_get_priority_max(SCHED_FIFO);
        int b = sched_get_priority_min(SCHED_RR);
        printf("%d %d\n", a, b);
    }
    {
        int a = sched_get_priority_max(SCHED_OTHER);
        int b = sched_get_priority_max(99);
        printf("%d %d\n", a, b);
    }
    int policy;
    struct sched_param parameters;
    {
        int a = pthread_getschedparam(pthread_self(), &policy, &parameters);
        int b = policy;
        int c = parameters.sched_priority;
        printf("%d %d %d\n", a, b, c);
    }
    struct rlimit limit;
    {
        int a = getrlimit(RLIMIT_STACK, &limit);
        int b = limit.rlim_cur <= limit.rlim_max;
        printf("%d %d\n", a, b);
    }
    {
        int a = getrlimit(99, &limit);
        int b = errno == EINVAL;
        printf("%d %d\n", a, b);
    }
    limit.rlim_cur = 10;
    limit.rlim_max = 5;
    {
        int a = setrlimit(RLIMIT_NOFILE, &limit);
        int b = errno == EINVAL;
        printf("%d %d\n", a, b);
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 100;
    printf("%d\n", setrlimit(RLIMIT_NOFILE, &limit));
    limit.rlim_cur = 0;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("%d\n", (int)limit.rlim_cur);
    printf("%d\n", pthread_atfork(NULL, NULL, NULL));
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    printf("%d\n", pthread_mutex_consistent(&mutex) == EINVAL);
    return 0;
}
