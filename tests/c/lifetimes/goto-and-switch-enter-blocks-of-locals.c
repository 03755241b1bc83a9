//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   however a block is entered, the life of its locals begins there (C11 6.2.4p6), and ends when the block is left
#include <assert.h>

int *global;

static int read_global(void) { return *global; }

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        switch (i) {
            int a;
        case 0:
            a = 1;
            global = &a;
            sum += read_global();
            break;
        default: {
            int b;
        case 1:
            b = 10;
            global = &b;
            sum += read_global();
            if (i == 2)
                goto inside;
        }
        }
        continue;
        {
            int c;
        inside:
            c = 100;
            global = &c;
            sum += read_global();
        }
    }
    assert(sum == 121);
    return 0;
}
