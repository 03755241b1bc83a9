#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    time_t t = time(NULL);
    srand(1);
    int r = rand();
    printf("%d\n", t == (time_t)-1);
    printf("%d\n", r >= 0 && r <= RAND_MAX);
    printf("%d\n", getenv("A_NAME_THAT_NOBODY_WOULD_SET") == NULL);
    return 0;
}
