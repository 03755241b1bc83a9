// signal and raise. No handler ever runs, so none is accepted; signals may be ignored.

typedef void (*handler)(int);

void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
_Noreturn void __raddle_abort(void);

enum { SIGABRT = 6, SIGNALS = 65 };

static _Bool is_ignored[SIGNALS];

handler signal(int signal, handler action) {
    if (signal <= 0 || signal >= SIGNALS || signal == SIGABRT)
        __raddle_unsupported("`signal` of this signal");
    if (action && action != (handler)1)
        __raddle_unsupported("a handler of signals");
    __raddle_atomic_begin();
    _Bool was_ignored = is_ignored[signal];
    is_ignored[signal] = action != 0;
    __raddle_atomic_end();
    return was_ignored ? (handler)1 : (handler)0;
}

// As strict headers call it.
handler __sysv_signal(int number, handler action) {
    return signal(number, action);
}

int raise(int signal) {
    if (signal == SIGABRT)
        __raddle_abort();
    if (signal <= 0 || signal >= SIGNALS)
        __raddle_unsupported("`raise` of no signal");
    __raddle_atomic_begin();
    _Bool is_dropped = is_ignored[signal];
    __raddle_atomic_end();
    if (!is_dropped)
        __raddle_unsupported("`raise`");
    return 0;
}
