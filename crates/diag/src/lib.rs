//! Diagnostics as data. Renderers are functions over them and know nothing of who made them.

mod data;
pub mod messages;
mod terminal;

pub use data::{DiagnosticData, LabelData, PlaceData};
pub use terminal::{Colour, render};

use raddle_base::{SourceMap, Span};

/// A message to the user: what is wrong (or worth knowing), where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Diagnostic {
    pub severity: Severity,
    /// The word in brackets, as in `error[race]`; `raddle explain` knows each.
    pub code: &'static str,
    /// Lower case, no full stop, names in backticks; makes sense alone.
    pub message: String,
    /// The first is the primary one.
    pub labels: Vec<Label>,
    /// Facts.
    pub notes: Vec<String>,
    /// Actions to take.
    pub helps: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// A place in the sources and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, message)
        }
    }

    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Labels that lie in the sources, and what is said of places that the user cannot see.
    fn labels_in(&self, sources: &SourceMap) -> (Vec<&Label>, Vec<&Label>) {
        self.labels
            .iter()
            .partition(|label| sources.knows(label.span))
    }

    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds what helps, unless it has been said.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !self.helps.contains(&text) {
            self.helps.push(text);
        }
        self
    }
}
