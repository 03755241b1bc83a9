//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: a null address is asked for before the call, and the first of two static tables is null
#include <assert.h>

extern int hook(void) __attribute__((weak));
extern int table_entry(void);
#pragma weak table_entry
extern int limit __attribute__((weak));
static int (*const hooks[2])(void) = {hook, table_entry};
static int *limits = &limit;

int main(void) {
    int result = 0;
    if (hook)
        result += hook();
    if (hooks[1] != 0)
        result += hooks[1]();
    if (&limit)
        result += limit;
    assert(result == 0 && !hooks[0] && !limits);
    return 0;
}
