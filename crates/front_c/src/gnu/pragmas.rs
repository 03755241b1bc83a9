//! All of gcc's pragmas on GNU/Linux.

use super::Fate::{self, Harmless, Promise, Understood, Unsupported};

/// By their first words.
pub const PRAGMAS: &[(&str, Fate)] = &[
    ("GCC dependency", Harmless),
    ("GCC diagnostic", Harmless),
    ("GCC error", Harmless),
    ("GCC ivdep", Promise),
    ("GCC optimize", Understood),
    ("GCC pch_preprocess", Harmless),
    ("GCC poison", Harmless),
    ("GCC pop_options", Understood),
    ("GCC push_options", Understood),
    ("GCC reset_options", Understood),
    ("GCC system_header", Harmless),
    ("GCC target", Understood),
    ("GCC unroll", Harmless),
    ("GCC visibility", Harmless),
    ("GCC warning", Harmless),
    ("STDC CX_LIMITED_RANGE", Harmless),
    ("STDC FENV_ACCESS", Harmless),
    ("STDC FLOAT_CONST_DECIMAL64", Unsupported),
    ("STDC FP_CONTRACT", Harmless),
    // Without `-fopenacc`, which is refused, it means nothing.
    ("acc", Harmless),
    ("message", Harmless),
    ("omp", Unsupported),
    ("once", Harmless),
    ("pack", Understood),
    ("pop_macro", Harmless),
    ("push_macro", Harmless),
    ("redefine_extname", Unsupported),
    ("region", Harmless),
    ("endregion", Harmless),
    ("scalar_storage_order", Understood),
    ("weak", Understood),
];

/// What becomes of a pragma; nothing is said of one that the list has not, which gcc ignores.
pub fn fate(text: &str) -> Option<Fate> {
    PRAGMAS
        .iter()
        .find(|(words, _)| {
            text.strip_prefix(words)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
        .map(|(_, fate)| *fate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_compared() {
        assert_eq!(fate("omp parallel for"), Some(Unsupported));
        assert_eq!(fate("ompx"), None);
        assert_eq!(fate("GCC optimize ( \"O2\" )"), Some(Understood));
    }
}
