// Nested functions whose addresses are taken: each call of the function around has a number, and keeps it.
// Whoever gets the address gets what was done before: the section orders nothing more.

void __raddle_atomic_begin_as_written(void);
void __raddle_atomic_end(void);
void __raddle_unsupported(const char *what);

enum { CALLS = 16 };

long __raddle_enter_frame(void **frames, int *used, void *frame) {
    int number;
    __raddle_atomic_begin_as_written();
    number = *used;
    if (number < CALLS) {
        *used = number + 1;
        frames[number] = frame;
    }
    __raddle_atomic_end();
    if (number == CALLS)
        __raddle_unsupported("more than 16 calls of a function in which the address of a nested function is taken");
    return number;
}
