//! Collects diagnostics, and suggests names.

use raddle_base::Span;
use raddle_diag::Diagnostic;

/// After this many errors the reader gives up: the rest is likely to follow from them.
pub(crate) const MOST_ERRORS: usize = 20;

/// A diagnostic has been recorded; whoever gets this goes on elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

#[derive(Debug, Default)]
pub(crate) struct Messages {
    list: Vec<Diagnostic>,
}

impl Messages {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) -> Reported {
        let is_repeated = self.list.iter().any(|old| {
            old.labels.first() == diagnostic.labels.first() && old.message == diagnostic.message
        });
        if !self.is_full() && !is_repeated {
            self.list.push(diagnostic);
        }
        Reported
    }

    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MOST_ERRORS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

pub(crate) fn syntax_error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error("syntax", message).at(span, label)
}

pub(crate) fn type_error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error("type", message).at(span, label)
}

pub(crate) fn name_error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error("name", message).at(span, label)
}

pub(crate) fn limit_error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error("limit", message).at(span, label)
}

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
