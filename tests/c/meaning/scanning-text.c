#include <stdio.h>
int main(void) {
    int a = 0, b = 0;
    char w[16] = "";
    unsigned x = 0;
    int n = sscanf("12 34 word ff", "%d %d %15s %x", &a, &b, w, &x);
    printf("%d %d %d %s %u\n", n, a, b, w, x);
    char c;
    n = sscanf("a,b", "%c,%*c", &c);
    printf("%d %c\n", n, c);
    n = sscanf("nothing", "%d", &a);
    printf("%d\n", n);
    return 0;
}
