#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char bytes[10] = "";
    {
        int a = pipe(ends);
        int b = ends[0];
        int c = ends[1];
        printf("%d %d %d\n", a, b, c);
    }
    printf("%ld\n", (long)write(ends[1], "abc", 3));
    printf("%ld\n", (long)write(ends[1], "de", 2));
    {
        long a = read(ends[0], bytes, 4);
        printf("%ld %s\n", a, bytes);
    }
    {
        long a = read(ends[0], bytes, 4);
        int b = bytes[0];
        printf("%ld %c\n", a, b);
    }
    {
        long a = write(ends[0], "x", 1);
        int b = errno == EBADF;
        printf("%ld %d\n", a, b);
    }
    {
        long a = read(ends[1], bytes, 1);
        int b = errno == EBADF;
        printf("%ld %d\n", a, b);
    }
    {
        long a = lseek(ends[0], 0, SEEK_CUR);
        int b = errno == ESPIPE;
        printf("%ld %d\n", a, b);
    }

    struct pollfd asked[3] = {{ends[0], POLLIN, 7}, {ends[1], POLLOUT, 7}, {-1, POLLIN, 7}};
    {
        int a = poll(asked, 3, 0);
        int b = asked[0].revents;
        int c = asked[1].revents == POLLOUT;
        int d = asked[2].revents;
        printf("%d %d %d %d\n", a, b, c, d);
    }
    printf("%d\n", fcntl(ends[0], F_SETFL, O_NONBLOCK));
    {
        long a = read(ends[0], bytes, 1);
        int b = errno == EAGAIN;
        printf("%ld %d\n", a, b);
    }
    write(ends[1], "f", 1);
    {
        int a = poll(asked, 1, -1);
        int b = asked[0].revents == POLLIN;
        printf("%d %d\n", a, b);
    }
    fd_set set;
    struct timeval time = {0, 0};
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    FD_SET(ends[1], &set);
    {
        int a = select(ends[1] + 1, &set, NULL, NULL, &time);
        int b = !!FD_ISSET(ends[0], &set);
        int c = !!FD_ISSET(ends[1], &set);
        printf("%d %d %d\n", a, b, c);
    }
    read(ends[0], bytes, 1);
    close(ends[1]);
    {
        int a = poll(asked, 1, 5);
        int b = asked[0].revents == POLLHUP;
        printf("%d %d\n", a, b);
    }
    printf("%ld\n", (long)read(ends[0], bytes, 1));
    close(ends[0]);

    pipe2(ends, O_NONBLOCK);
    static char block[5000];
    long all = 0, now;
    while ((now = write(ends[1], block, 4096)) > 0)
        all += now;
    printf("%ld %d\n", all, errno == EAGAIN);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    {
        long a = write(ends[1], "x", 1);
        int b = errno == EPIPE;
        printf("%ld %d\n", a, b);
    }
    close(ends[1]);

    int events = eventfd(2, EFD_NONBLOCK);
    uint64_t count = 3;
    printf("%ld\n", (long)write(events, &count, sizeof count));
    {
        long a = read(events, &count, sizeof count);
        int b = count;
        printf("%ld %d\n", a, b);
    }
    {
        long a = read(events, &count, sizeof count);
        int b = errno == EAGAIN;
        printf("%ld %d\n", a, b);
    }
    close(events);
    {
        int a = poll(NULL, 0, 1);
        int b = select(0, NULL, NULL, NULL, &time);
        printf("%d %d\n", a, b);
    }
    return 0;
}
