//! What the C library does, as C text that is read with the program.
//!
//! Each text is a unit of its own: it declares what it uses, and its static names are its own.
//! A definition of the user's wins over one of ours, and only what the program can reach is lowered.
//!
//! The texts end in functions that nobody defines and the lowering implements, all called `__raddle_…`:
//!
//! | primitive | |
//! |---|---|
//! | `void *allocate(size_t)`, `void *allocate_zeroed(size_t)` | a new heap object, undefined or zero |
//! | `void free(void *)` | ends its life; of the null pointer: nothing |
//! | `size_t object_size(void *)` | the bytes of the heap object that begins there |
//! | `_Bool malloc_may_fail(void)` | whether allocation may fail, a constant |
//! | `void emit_byte(int)` | one byte to standard output |
//! | `void exit(int)`, `void abort(void)` | end the process |
//! | `void call_destructors(void)` | calls the destructors of the program and what lies in `.fini_array` |
//! | `void assert_fail(const char *)` | violates the property `assert`; the argument is a literal |
//! | `void unsupported(const char *)` | the verdict is unknown from here on; the argument is a literal |
//! | `_Bool extern_havoc(void)` | whether functions that are not modelled return anything, a constant |
//! | `T any_…(void)` | any value of the type `T` |
//! | `void assume(int)` | execution goes on only if it is not zero |
//! | `int processors(void)` | how many there are, a constant; 0: any number |
//! | `int leaps(void)` | how often a clock leaps at most, a constant; less than 0: it may show anything |
//! | `_Bool assuming(const char *)` | whether the surroundings of the program are known, a constant; if so, the report says that verdicts are for this, a literal |
//! | `unsigned long long sent_signals(void)` | the signals that the program sends, a bit each, if all of them are constants, else none |
//! | `_Bool knows_environment(void)` | whether it is known what `environ` points to, a constant |
//! | `void atomic_begin(void)`, `void atomic_end(void)` | one indivisible step |
//!
//! and those of threads and locks, which `pthread.c` declares.
//!
//! `docs/c.md` says what is modelled and how.

#[cfg(test)]
mod tests;

/// The header of tests, as a plain compiler reads it too.
pub const HEADER: &str = include_str!("raddle.h");

/// The texts, each with the name that it has in diagnostics.
pub const TEXTS: &[(&str, &str)] = &[
    ("builtins.c", include_str!("builtins.c")),
    ("cancel.c", include_str!("cancel.c")),
    ("ctype.c", include_str!("ctype.c")),
    ("descriptors.c", include_str!("descriptors.c")),
    ("drand48.c", include_str!("drand48.c")),
    ("files.c", include_str!("files.c")),
    ("float_read.c", include_str!("float_read.c")),
    ("format.c", include_str!("format.c")),
    ("format_float.c", include_str!("format_float.c")),
    ("fortify.c", include_str!("fortify.c")),
    ("futex.c", include_str!("futex.c")),
    ("host.c", include_str!("host.c")),
    ("jumps.c", include_str!("jumps.c")),
    ("math.c", include_str!("math.c")),
    ("memory.c", include_str!("memory.c")),
    ("messages.c", include_str!("messages.c")),
    ("nested.c", include_str!("nested.c")),
    ("network.c", include_str!("network.c")),
    ("number.c", include_str!("number.c")),
    ("options.c", include_str!("options.c")),
    ("process.c", include_str!("process.c")),
    ("processor.c", include_str!("processor.c")),
    ("pthread.c", include_str!("pthread.c")),
    ("scan.c", include_str!("scan.c")),
    ("scheduling.c", include_str!("scheduling.c")),
    ("search.c", include_str!("search.c")),
    ("signal.c", include_str!("signal.c")),
    ("status.c", include_str!("status.c")),
    ("stdio.c", include_str!("stdio.c")),
    ("stdlib.c", include_str!("stdlib.c")),
    ("streams.c", include_str!("streams.c")),
    ("string.c", include_str!("string.c")),
    ("testing.c", include_str!("testing.c")),
    ("threads.c", include_str!("threads.c")),
    ("time.c", include_str!("time.c")),
    ("transcendental.c", include_str!("transcendental.c")),
    ("unsupported.c", include_str!("unsupported.c")),
    ("waiting.c", include_str!("waiting.c")),
    ("wide.c", include_str!("wide.c")),
];
