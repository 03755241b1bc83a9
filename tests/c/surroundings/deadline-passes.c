//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   three waits one after the other all come to their end: a clock does not stand still for ever
#include <time.h>

int main(void)
{
    for (int i = 0; i < 3; i++) {
        time_t end = time(NULL) + 5;
        while (time(NULL) < end)
            ;
    }
    return 0;
}
