//@ truth:    assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options:  --data-model ilp32
//@ why:      preprocessed elsewhere: both threads may read 0 before either writes 1
# 1 "lost.c"
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
# 10 "lost.c"
static int count;
static void *work(void *unused) {
    count++;
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (count != 2)
        __assert_fail("count == 2", "lost.c", 22, "main");
    return 0;
}
