//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     the memory that is returned is freed when the scope is left
#include <assert.h>
#include <stdlib.h>

static void release(int **memory) {
    free(*memory);
}

static int *make(void) {
    int *memory __attribute__((__cleanup__(release))) = malloc(sizeof *memory);
    *memory = 7;
    return memory;
}

int main(void) {
    int *made = make();
    assert(*made == 7);
    free(made);
    return 0;
}
