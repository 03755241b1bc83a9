#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
    {
        unsigned a = htons(0x1234);
        unsigned b = htonl(0x12345678);
        printf("%x %x\n", a, b);
    }
    {
        unsigned a = ntohs(0x1234);
        unsigned b = ntohl(0x12345678);
        printf("%x %x\n", a, b);
    }
    struct in_addr address;
    {
        unsigned a = ntohl(inet_addr("127.0.0.1"));
        unsigned b = ntohl(inet_addr("10.20.30.255"));
        printf("%x %x\n", a, b);
    }
    {
        int a = inet_addr("host") == INADDR_NONE;
        int b = inet_aton("nobody", &address);
        printf("%d %d\n", a, b);
    }
    {
        int a = inet_aton("192.168.1.2", &address);
        unsigned b = ntohl(address.s_addr);
        printf("%d %x\n", a, b);
    }
    printf("%s\n", inet_ntoa(address));
    char text[20] = "";
    {
        int a = inet_pton(AF_INET, "1.2.3", &address);
        int b = inet_pton(AF_INET, "01.2.3.4", &address);
        printf("%d %d\n", a, b);
    }
    printf("%d\n", inet_pton(AF_INET, "1.2.3.40", &address));
    printf("%s\n", inet_ntop(AF_INET, &address, text, sizeof text));
    {
        int a = inet_ntop(AF_INET, &address, text, 3) == NULL;
        int b = errno == ENOSPC;
        printf("%d %d\n", a, b);
    }
    {
        int a = listen(77, 1);
        int b = errno == EBADF;
        printf("%d %d\n", a, b);
    }
    {
        long a = send(1, "x", 1, 0);
        int b = errno == ENOTSOCK;
        printf("%ld %d\n", a, b);
    }
    return 0;
}
