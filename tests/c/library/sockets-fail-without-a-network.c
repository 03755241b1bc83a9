//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a machine without a network gives no socket, and says why
#include <assert.h>
#include <errno.h>
#include <sys/socket.h>

int main(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert(descriptor == -1 && errno == EAFNOSUPPORT);
    return 0;
}
