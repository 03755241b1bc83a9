//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     it goes on where a frame of this thread asked for it, which is not modelled
void __pthread_unwind_next(void *);

static long buffer[16];

int main(void) {
    __pthread_unwind_next(buffer);
    return 0;
}
