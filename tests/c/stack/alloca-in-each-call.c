//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --stack 8000
//@ why:     what `alloca` gives ends with each of the ten calls
#include <alloca.h>

static void use(void) {
    char *row = alloca(1000);
    row[0] = 1;
}

int main(void) {
    for (int i = 0; i < 10; i++)
        use();
    return 0;
}
