//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `strtok` writes to the string that it cuts, here a literal; built with gcc, the program dies of SIGSEGV
#include <string.h>

int main(void) {
    char *text = "a b";
    char *word = strtok(text, " ");
    return word ? word[0] - 'a' : 1;
}
