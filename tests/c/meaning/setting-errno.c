#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    errno = 0;
    printf("%d\n", errno);
    errno = EINVAL;
    printf("%d %d\n", errno == EINVAL, ENOMEM);
    int *p = &errno;
    *p = 7;
    printf("%d\n", errno);
    return 0;
}
