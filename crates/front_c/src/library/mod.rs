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
//! | `T any_…(void)` | any value of the type `T` |
//! | `void assume(int)` | execution goes on only if it is not zero |
//! | `void atomic_begin(void)`, `void atomic_end(void)` | one indivisible step |
//!
//! and those of threads and locks, which `pthread.c` declares.
//!
//! `docs/c.md` says what is modelled and how.

#[cfg(test)]
mod tests;

/// The texts, each with the name that it has in diagnostics.
pub const TEXTS: &[(&str, &str)] = &[
    ("builtins.c", include_str!("builtins.c")),
    ("ctype.c", include_str!("ctype.c")),
    ("float_read.c", include_str!("float_read.c")),
    ("format.c", include_str!("format.c")),
    ("format_float.c", include_str!("format_float.c")),
    ("fortify.c", include_str!("fortify.c")),
    ("math.c", include_str!("math.c")),
    ("memory.c", include_str!("memory.c")),
    ("number.c", include_str!("number.c")),
    ("process.c", include_str!("process.c")),
    ("pthread.c", include_str!("pthread.c")),
    ("scan.c", include_str!("scan.c")),
    ("search.c", include_str!("search.c")),
    ("signal.c", include_str!("signal.c")),
    ("stdio.c", include_str!("stdio.c")),
    ("stdlib.c", include_str!("stdlib.c")),
    ("string.c", include_str!("string.c")),
    ("threads.c", include_str!("threads.c")),
    ("time.c", include_str!("time.c")),
    ("unsupported.c", include_str!("unsupported.c")),
    ("wide.c", include_str!("wide.c")),
];
