//@ truth: assert=safe memory=safe
//@ options: --property assert --property memory
//@ why:   initialisers of all shapes give constants their first values; `f` has a bit-field that is constant beside one that is not, and a union's member may be written by another name
#include <assert.h>
#include <pthread.h>

struct bits { unsigned a : 3; unsigned b : 7; int c; };
struct flags { const unsigned kind : 4; unsigned used : 4; };
union view { const int whole; unsigned char bytes[4]; };
struct guarded { pthread_mutex_t lock; const int id; int value; };
struct big { const int id; int values[200]; };

static int look(const void *p) { return *(const unsigned char *)p; }

int main(void) {
    const struct bits b = { 5, 9, 3 };
    struct flags f = { 2, 1 };
    f.used = 3;
    union view v = { 7 };
    v.bytes[0] = 8;
    struct guarded g = { PTHREAD_MUTEX_INITIALIZER, 4, 5 };
    pthread_mutex_lock(&g.lock);
    g.value++;
    pthread_mutex_unlock(&g.lock);
    struct big z = { 6 };
    const struct big y = z;
    z.values[199] = 1;
    const __int128 wide = 1;
    const volatile int always = 2;
    assert(b.a == 5 && b.b == 9 && f.kind == 2 && f.used == 3 && v.whole == 8);
    assert(g.id == 4 && g.value == 6 && z.id == 6 && y.id == 6 && z.values[199] == 1);
    assert(look(&wide) + look((const void *)&always) + look(&b) > 3);
    return 0;
}
