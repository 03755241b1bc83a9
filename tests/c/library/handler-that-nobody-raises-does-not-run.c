//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   no signal arrives but those that the program sends
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void handle(int number) {
    seen = number;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGTERM, &action, NULL);
    assert(seen == 0);
    return 0;
}
