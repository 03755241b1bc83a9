#define _GNU_SOURCE
#include <err.h>
#include <error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

int __xpg_strerror_r(int, char *, size_t);

int main(void) {
    char text[64];
    printf("%s\n", strerror_r(ENOENT, text, sizeof text));
    printf("%d\n", __xpg_strerror_r(EINVAL, text, sizeof text));
    printf("%s\n", text);
    printf("%d\n", __xpg_strerror_r(EINVAL, text, 5) == ERANGE);
    printf("%s\n", text);
    errno = EBADF;
    warn("a %d", 1);
    warnx("b");
    warnx(NULL);
    printf("%d\n", errno == EBADF);
    openlog("x", 0, LOG_USER);
    syslog(LOG_INFO, "%s %d", "c", 2);
    closelog();
    {
        int a = setlogmask(LOG_UPTO(LOG_ERR));
        int b = setlogmask(0);
        printf("%d %d\n", a, b);
    }
    error(0, ENOENT, "%d", 4);
    printf("%u\n", error_message_count);
    fflush(stdout);
    errx(3, "%s", "done");
}
