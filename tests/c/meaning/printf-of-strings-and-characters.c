#include <stdio.h>
int main(void) {
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.3s] [%-10.3s] [%.0s]\n", "hello", "hello", "hello", "hello", "hello",
           "hello", "hello");
    printf("[%c] [%5c] [%-5c]\n", 'x', 'y', 'z');
    char raw[4] = {'a', 'b', 'c', 'd'};
    printf("[%.4s] [%.*s] [%*s] [%-*s]\n", raw, 2, raw, 6, "ab", 6, "cd");
    printf("[%*d] [%-*d] [%.*d] [%*.*f]\n", 5, 42, 5, 42, 4, 42, 8, 2, 3.14159);
    printf("%s%s%s", "", "a\tb", "\n");
    printf("%c%c%c", 72, 105, 10);
    char *n = "percent %d stays";
    printf("%s\n", n);
    printf("no arguments\n");
    printf("[%*d]\n", -6, 7);
    return 0;
}
