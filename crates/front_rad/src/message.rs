//! What is said of a text that is no program, and the name that was meant.

pub(crate) use raddle_diag::messages::{
    MOST_ERRORS, Messages, Reported, limit_error, name_error, syntax_error, type_error,
};

/// The candidate that a mistyped name most likely stands for; the first among equals.
pub(crate) fn nearest<'n>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let tolerance = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() < 100 && wanted.len() < 100)
        .map(|candidate| (strsim::osa_distance(wanted, candidate), candidate))
        .filter(|&(distance, candidate)| {
            distance <= tolerance && distance < candidate.chars().count()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_slip_away() {
        assert_eq!(nearest("cuont", ["x", "count", "counter"]), Some("count"));
        assert_eq!(nearest("balanse", ["valance", "balance"]), Some("balance"));
        assert_eq!(nearest("x", ["y", "foo"]), None);
        assert_eq!(nearest("zebra", ["count"]), None);
    }
}
