//! Diagnostics as machines read them: places resolved to lines and columns, ready for JSON.

use raddle_base::{SourceMap, Span};
use serde::{Deserialize, Serialize};

use crate::{Diagnostic, Severity};

/// A [`Diagnostic`] that needs no sources to be understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticData {
    pub severity: String,
    pub code: String,
    pub message: String,
    pub labels: Vec<LabelData>,
    pub notes: Vec<String>,
    pub helps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelData {
    pub place: PlaceData,
    pub text: String,
}

/// Lines and columns count from one, columns in characters; the end is the first column after the span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceData {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl DiagnosticData {
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Self {
        let (labels, hidden) = diagnostic.labels_in(sources);
        Self {
            severity: match diagnostic.severity {
                Severity::Warning => "warning".to_owned(),
                Severity::Error => "error".to_owned(),
            },
            code: diagnostic.code.to_owned(),
            message: diagnostic.message.clone(),
            labels: labels
                .into_iter()
                .map(|label| LabelData {
                    place: PlaceData::new(label.span, sources),
                    text: label.text.clone(),
                })
                .collect(),
            notes: hidden
                .into_iter()
                .map(|label| &label.text)
                .chain(&diagnostic.notes)
                .cloned()
                .collect(),
            helps: diagnostic.helps.clone(),
        }
    }
}

impl PlaceData {
    pub fn new(span: Span, sources: &SourceMap) -> Self {
        let start = sources.place(span);
        let end = sources.end_place(span);
        Self {
            file: start.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
