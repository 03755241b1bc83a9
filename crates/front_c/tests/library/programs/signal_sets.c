#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int calls;

static void count(int number) {
    sigset_t mask;
    calls++;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    {
        int a = number;
        int b = sigismember(&mask, number);
        int c = sigismember(&mask, SIGUSR2);
        printf("in a handler of %d: %d %d\n", a, b, c);
    }
}

int main(void) {
    sigset_t set, old;
    sigemptyset(&set);
    {
        int a = sigismember(&set, SIGINT);
        int b = sigismember(&set, 64);
        printf("%d %d\n", a, b);
    }
    {
        int a = sigaddset(&set, SIGINT);
        int b = sigaddset(&set, 64);
        int c = sigaddset(&set, 65);
        printf("%d %d %d\n", a, b, c);
    }
    {
        int a = sigismember(&set, SIGINT);
        int b = sigismember(&set, 64);
        int c = sigismember(&set, 0);
        printf("%d %d %d\n", a, b, c);
    }
    {
        int a = sigdelset(&set, SIGINT);
        int b = sigismember(&set, SIGINT);
        printf("%d %d\n", a, b);
    }
    sigfillset(&set);
    {
        int a = sigismember(&set, 31);
        int b = sigismember(&set, 32);
        int c = sigismember(&set, 34);
        printf("%d %d %d\n", a, b, c);
    }
    {
        int a = sigaddset(&set, 32);
        int b = errno == EINVAL;
        printf("%d %d\n", a, b);
    }

    printf("%d\n", pthread_sigmask(SIG_SETMASK, &set, &old));
    printf("%d\n", sigismember(&old, SIGTERM));
    sigprocmask(SIG_BLOCK, NULL, &old);
    {
        int a = sigismember(&old, SIGTERM);
        int b = sigismember(&old, SIGKILL);
        int c = sigismember(&old, SIGSTOP);
        printf("%d %d %d\n", a, b, c);
    }
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &set, &old);
    printf("%d\n", sigismember(&old, SIGTERM));
    sigprocmask(SIG_SETMASK, NULL, &old);
    {
        int a = sigismember(&old, SIGTERM);
        int b = sigismember(&old, SIGINT);
        printf("%d %d\n", a, b);
    }
    {
        int a = pthread_sigmask(7, &set, NULL) == EINVAL;
        int b = sigprocmask(7, &set, NULL);
        printf("%d %d\n", a, b);
    }
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);

    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = count;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    {
        int a = sigaction(SIGUSR1, &action, &before);
        int b = before.sa_handler == SIG_DFL;
        printf("%d %d\n", a, b);
    }
    printf("%d\n", raise(SIGUSR1));
    {
        int a = sigaction(SIGUSR1, NULL, &before);
        int b = before.sa_handler == count;
        printf("%d %d\n", a, b);
    }
    {
        int a = sigismember(&before.sa_mask, SIGUSR2);
        int b = sigismember(&before.sa_mask, SIGUSR1);
        printf("%d %d\n", a, b);
    }
    {
        int a = sigaction(SIGKILL, &action, NULL);
        int b = errno == EINVAL;
        printf("%d %d\n", a, b);
    }
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGCHLD, &action, NULL);
    raise(SIGCHLD);
    sigaction(SIGCHLD, NULL, &before);
    {
        int a = before.sa_handler == SIG_DFL;
        int b = raise(SIGCHLD);
        printf("%d %d\n", a, b);
    }
    {
        int a = signal(SIGUSR1, SIG_IGN) == count;
        int b = raise(SIGUSR1);
        printf("%d %d\n", a, b);
    }
    {
        int a = signal(SIGKILL, SIG_IGN) == SIG_ERR;
        int b = signal(SIGUSR1, count) == SIG_IGN;
        printf("%d %d\n", a, b);
    }
    printf("%d\n", pthread_kill(pthread_self(), SIGUSR1));
    {
        int a = raise(0);
        int b = raise(65);
        int c = calls;
        printf("%d %d %d\n", a, b, c);
    }
    {
        unsigned a = alarm(0);
        unsigned b = alarm(0);
        printf("%u %u\n", a, b);
    }
    return 0;
}
