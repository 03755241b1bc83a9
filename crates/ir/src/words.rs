//! The words of the text form that are names only in backticks.

/// Sorted. The reader may take some of them as names where no doubt arises; the printer never does.
pub const KEYWORDS: &[&str] = &[
    "_",
    "abort",
    "acq_rel",
    "acquire",
    "acquire_read",
    "acquire_spin",
    "acquire_write",
    "align",
    "alloc",
    "and",
    "any",
    "approximate",
    "arrive",
    "as",
    "assert",
    "assume",
    "at",
    "atomic",
    "atomic_begin",
    "atomic_end",
    "atomic_load",
    "atomic_store",
    "atomicset",
    "await",
    "barrier",
    "barrier_wait",
    "bool",
    "break",
    "broadcast",
    "bytes",
    "call",
    "checked_mutex",
    "choose",
    "compare_exchange",
    "condition",
    "const",
    "continue",
    "destroy",
    "detach",
    "distance",
    "down",
    "else",
    "emit",
    "enter",
    "exchange",
    "exclusive",
    "exit",
    "exit_monitor",
    "exit_thread",
    "f32",
    "f64",
    "false",
    "fence",
    "fetch_add",
    "fetch_and",
    "fetch_max",
    "fetch_min",
    "fetch_nand",
    "fetch_or",
    "fetch_sub",
    "fetch_xor",
    "fn",
    "free",
    "goto",
    "havoc",
    "if",
    "ilp32",
    "init",
    "invariant",
    "isize",
    "join",
    "leave",
    "let",
    "lock",
    "loop",
    "lp64",
    "model",
    "monitor",
    "monitor_wait",
    "monitor_wait_begin",
    "monitor_wait_end",
    "mutex",
    "notify",
    "notify_all",
    "null",
    "object_size",
    "offset",
    "opaque",
    "or",
    "owner",
    "post",
    "ptr",
    "read",
    "recursive_mutex",
    "relaxed",
    "release",
    "release_rw",
    "release_spin",
    "return",
    "rwlock",
    "self",
    "semaphore",
    "semaphore_value",
    "seq_cst",
    "signal",
    "size",
    "sizeof",
    "skip",
    "spawn",
    "spin_lock",
    "stack",
    "start",
    "struct",
    "temp",
    "thread",
    "thread_local",
    "tid",
    "timed_acquire",
    "timed_acquire_read",
    "timed_acquire_write",
    "timed_down",
    "timed_wait",
    "true",
    "try_acquire",
    "try_acquire_read",
    "try_acquire_spin",
    "try_acquire_write",
    "try_down",
    "union",
    "unit",
    "unit_begin",
    "unit_end",
    "unknown_order",
    "unsupported",
    "usize",
    "var",
    "wait",
    "wait_begin",
    "wait_end",
    "wait_end_timed",
    "when",
    "while",
    "write",
    "zeroed",
];

/// Whether a word is a keyword or the name of an integer type.
pub fn is_keyword(word: &str) -> bool {
    let is_integer = word.strip_prefix(['u', 'i']).is_some_and(|bits| {
        !bits.is_empty() && bits.len() <= 3 && bits.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_integer || KEYWORDS.binary_search(&word).is_ok()
}

/// Whether a name can stand without backticks.
pub fn is_plain_name(name: &str) -> bool {
    let starts_well = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
    name.bytes().next().is_some_and(starts_well)
        && name
            .bytes()
            .all(|byte| starts_well(byte) || byte.is_ascii_digit())
        && !is_keyword(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Order, RmwOperation, SyncOperation};
    use crate::types::SyncType;

    #[test]
    fn keywords_are_sorted_and_hold_every_word_of_the_operations() {
        assert!(KEYWORDS.is_sorted());
        let operations = SyncOperation::ALL.iter().map(|(_, word, _)| *word);
        let words = operations
            .chain(RmwOperation::ALL.iter().map(|(_, word)| *word))
            .chain(Order::ALL.iter().map(|(_, word)| *word))
            .chain(SyncType::ALL.iter().map(|sync| sync.name()));
        for word in words {
            assert!(is_keyword(word), "{word}");
        }
    }

    #[test]
    fn names_that_are_no_identifiers_need_backticks() {
        for name in ["f::x", "u8", "lock", "3", "", "_", "é"] {
            assert!(!is_plain_name(name), "{name}");
        }
        for name in ["x", "_x", "$1", "u", "u1234", "iu8"] {
            assert!(is_plain_name(name), "{name}");
        }
    }
}
