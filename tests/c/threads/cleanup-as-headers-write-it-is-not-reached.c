//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody asks for a handler
void __pthread_register_cancel(void *);
void __pthread_unregister_cancel(void *);
void __pthread_unwind_next(void *);

static long buffer[16];
static int wanted;

int main(void) {
    if (wanted) {
        __pthread_register_cancel(buffer);
        __pthread_unregister_cancel(buffer);
        __pthread_unwind_next(buffer);
    }
    return 0;
}
