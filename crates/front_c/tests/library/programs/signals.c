#include <signal.h>
#include <stdio.h>

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("%d\n", signal(SIGFPE, SIG_IGN) == SIG_DFL);
    raise(SIGFPE);
    printf("%d\n", signal(SIGFPE, SIG_DFL) == SIG_IGN);
    printf("%d\n", signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    raise(SIGABRT);
}
