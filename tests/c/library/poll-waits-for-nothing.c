//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   nobody ever writes to the pipe
#include <poll.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    pipe(ends);
    struct pollfd asked = {ends[0], POLLIN, 0};
    poll(&asked, 1, -1);
    return 0;
}
