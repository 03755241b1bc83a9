//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     what `pthread_cleanup_push` and `pthread_cleanup_pop` stand for is not modelled
void __pthread_register_cancel(void *);
void __pthread_unregister_cancel(void *);

static long buffer[16];

int main(void) {
    __pthread_register_cancel(buffer);
    __pthread_unregister_cancel(buffer);
    return 0;
}
