#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("before");
    if (strlen("abc") == 3)
        abort();
    puts("after");
}
