//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the stream is freed when it is closed; valgrind reports the same of glibc's
#include <stdio.h>

int main(void) {
    FILE *stream = fopen("f", "w");
    fclose(stream);
    fputs("a", stream);
    return 0;
}
