//! Which random programs a test looks at: `RADDLE_SEED` and `RADDLE_CASES` widen or repeat a run.

use std::ops::Range;

/// A number from the environment.
pub fn number_from(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// So many seeds, unless the environment says otherwise.
pub fn seeds(cases: u64) -> Range<u64> {
    let first = number_from("RADDLE_SEED", 1);
    first..first + number_from("RADDLE_CASES", cases)
}

/// Whether the environment asks for nothing special: then shares have limits.
pub fn are_usual() -> bool {
    ["RADDLE_SEED", "RADDLE_CASES", "RADDLE_LOOKS"]
        .iter()
        .all(|it| std::env::var_os(it).is_none())
}
