//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `strtok` writes to an array, and reads the literal with what is between words
#include <assert.h>
#include <string.h>

int main(void) {
    char text[] = "a b";
    char *word = strtok(text, " ");
    assert(word == text && word[0] == 'a');
    word = strtok(0, " ");
    assert(word == text + 2);
    return 0;
}
