//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each round makes a lock of its own, uses it and ends it; statement expressions give their values before their locals end
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t m;
        pthread_mutex_init(&m, 0);
        pthread_mutex_lock(&m);
        sum += ({ int a = i; int *p = &a; *p + 1; });
        struct pair pair = ({ struct pair inner = {i, 2}; inner; });
        sum += pair.b;
        pthread_mutex_unlock(&m);
        pthread_mutex_destroy(&m);
    }
    assert(sum == 7);
    return 0;
}
