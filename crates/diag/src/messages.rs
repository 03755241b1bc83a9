//! Collects the diagnostics of a front end, and makes those that every front end has.

use raddle_base::Span;

use crate::{Diagnostic, Severity};

/// After this many errors the reader gives up: the rest is likely to follow from them.
pub const MOST_ERRORS: usize = 20;
/// More warnings than this are not kept.
const MOST_WARNINGS: usize = 100;

/// A diagnostic has been recorded; whoever gets this goes on elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

#[derive(Debug, Default)]
pub struct Messages {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    is_closed: bool,
}

impl Messages {
    pub fn push(&mut self, diagnostic: Diagnostic) -> Reported {
        let (count, most) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, MOST_ERRORS),
            Severity::Warning => (&mut self.warnings, MOST_WARNINGS),
        };
        let is_repeated = self.list.iter().any(|old| {
            old.labels.first() == diagnostic.labels.first() && old.message == diagnostic.message
        });
        if !self.is_closed && *count < most && !is_repeated {
            *count += 1;
            self.list.push(diagnostic);
        }
        Reported
    }

    /// What comes from now on follows from what has been said.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    pub fn is_full(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// As they came.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }

    /// In the order of their places.
    pub fn into_sorted_list(mut self) -> Vec<Diagnostic> {
        self.list
            .sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
        self.list
    }
}

pub fn syntax_error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error("syntax", message).at(span, label)
}

pub fn syntax_warning(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::warning("syntax", message).at(span, label)
}

pub fn type_error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::error("type", message).at(span, label)
}

pub fn name_error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::error("name", message).at(span, label)
}

pub fn limit_error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::error("limit", message).at(span, label)
}
