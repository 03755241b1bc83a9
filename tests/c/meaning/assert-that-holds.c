#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 5;
    assert(x == 5);
    assert(x && "message");
    printf("fine\n");
    return 0;
}
