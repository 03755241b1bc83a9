#include <stdio.h>
#include <string.h>
int main(void) {
    char b[64];
    int n = sprintf(b, "%d-%s-%c", 42, "abc", 'z');
    printf("%s %d\n", b, n);
    memset(b, '#', sizeof b);
    n = snprintf(b, 5, "%s", "truncated");
    printf("%s %d %c\n", b, n, b[5]);
    n = snprintf(0, 0, "%05d", 7);
    printf("%d\n", n);
    n = snprintf(b, sizeof b, "%x %o %u", 255, 8, 3000000000u);
    printf("%s %d\n", b, n);
    n = sprintf(b, "%5.2f|%-6d|%06d", 3.14159, 12, -12);
    printf("%s %d\n", b, n);
    n = sprintf(b + 3, "%s", "tail");
    printf("%s\n", b);
    return 0;
}
