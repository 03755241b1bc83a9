// Jumps to a call that is under way. The lowering makes the call of `setjmp` one of `__raddle_set_jump`, and looks after
// calls whether the thread jumps.

void __raddle_unsupported(const char *what);

// Where the thread goes: the hidden object of the call, the number of the place in it, and what `setjmp` gives there.
_Thread_local struct {
    void **frame;
    long place;
    int value;
} __raddle_jump;

// The hidden object says whose call it is.
void __raddle_set_jump(void **state, void **frame, long place) {
    *frame = &__raddle_jump;
    state[0] = frame;
    state[1] = (void *)place;
}

void longjmp(void **state, int value) {
    void **frame = state[0];
    if (*frame != &__raddle_jump)
        __raddle_unsupported("a jump to a call of another thread");
    __raddle_jump.place = (long)state[1];
    __raddle_jump.value = value ? value : 1;
    __raddle_jump.frame = frame;
}

void _longjmp(void **state, int value) {
    longjmp(state, value);
}

void siglongjmp(void **state, int value) {
    longjmp(state, value);
}
