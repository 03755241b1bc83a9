//! Names that the machine's own libraries define, whether they are modelled or not.

use std::collections::HashSet;
use std::sync::LazyLock;

/// What `libc.so.6` and `libm.so.6` of glibc 2.36 export, apart from names that begin with `_`.
static GLIBC: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("glibc_names.txt").split_whitespace().collect());

/// Whether the linker may find a definition of this name although no file of the program has one.
pub(crate) fn is_of_the_implementation(name: &str) -> bool {
    name.starts_with('_') || GLIBC.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_library_and_reserved_ones_are_not_the_users() {
        for name in ["fork", "printf", "_end", "__bss_start", "cos"] {
            assert!(is_of_the_implementation(name), "{name}");
        }
        for name in ["hook", "my_fork", "main"] {
            assert!(!is_of_the_implementation(name), "{name}");
        }
    }
}
