//! The words of the language that cannot be names without backticks.

use raddle_ir::SyncOperation;

/// Words that begin or join statements and expressions, besides those of [`SyncOperation::ALL`].
const RESERVED: &[&str] = &[
    "abort",
    "alloc",
    "and",
    "any",
    "as",
    "assert",
    "assume",
    "atomic",
    "atomic_begin",
    "atomic_end",
    "await",
    "barrier_wait",
    "break",
    "call",
    "choose",
    "const",
    "continue",
    "destroy",
    "detach",
    "else",
    "emit",
    "exit",
    "exit_thread",
    "false",
    "fence",
    "fn",
    "free",
    "goto",
    "havoc",
    "if",
    "init",
    "join",
    "let",
    "lock",
    "loop",
    "monitor_wait",
    "null",
    "or",
    "return",
    "self",
    "sizeof",
    "skip",
    "spawn",
    "struct",
    "thread_local",
    "tid",
    "timed_wait",
    "true",
    "union",
    "unit",
    "unit_begin",
    "unit_end",
    "unsupported",
    "var",
    "wait",
    "while",
];

/// Words that begin an item and are names elsewhere.
pub(crate) const ITEMS: &[&str] = &[
    "approximate",
    "atomicset",
    "barrier",
    "checked_mutex",
    "condition",
    "const",
    "exclusive",
    "fn",
    "invariant",
    "model",
    "monitor",
    "mutex",
    "opaque",
    "recursive_mutex",
    "rwlock",
    "semaphore",
    "spin_lock",
    "start",
    "struct",
    "thread",
    "thread_local",
    "union",
    "unit",
    "unset",
    "var",
];

/// Whether a word needs backticks to be the name of a variable, function, struct, set or label.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
        || SyncOperation::ALL.iter().any(|(_, name, _)| *name == word)
}

/// The words that may begin a statement, for suggestions.
pub(crate) fn all_reserved() -> impl Iterator<Item = &'static str> {
    RESERVED
        .iter()
        .copied()
        .chain(SyncOperation::ALL.iter().map(|(_, name, _)| *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printer_writes_every_reserved_word_in_backticks_if_it_is_a_name() {
        let contextual = [
            "at", "bytes", "read", "write", "stack", "temp", "zeroed", "_",
        ];
        for word in all_reserved().chain(contextual) {
            assert!(raddle_ir::words::is_keyword(word), "{word}");
        }
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(RESERVED.is_sorted());
        assert!(ITEMS.is_sorted());
    }
}
