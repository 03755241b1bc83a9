//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the pointer is set to null before the scope is left, so nothing is freed that is returned
#include <assert.h>
#include <stdlib.h>

static void release(int **memory) {
    free(*memory);
}

static int *make(void) {
    int *memory __attribute__((__cleanup__(release))) = malloc(sizeof *memory);
    *memory = 7;
    int *given = memory;
    memory = NULL;
    return given;
}

int main(void) {
    int *made = make();
    assert(*made == 7);
    free(made);
    return 0;
}
