//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     there is no buffer to leave
void __pthread_unregister_cancel(void *);

int main(void) {
    __pthread_unregister_cancel(0);
    return 0;
}
