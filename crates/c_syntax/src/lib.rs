//! Reads GNU C as it comes out of the preprocessor into a syntax tree. Usable alone.
//!
//! ```
//! use raddle_base::SourceMap;
//!
//! let text = "typedef int number; number twice(number x) { return 2 * x; }";
//! let file = SourceMap::new().add("twice.i", text);
//! let parsed = raddle_c_syntax::parse(file, text.as_bytes());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.unit.items.len(), 2);
//! ```

pub mod dump;
mod lexer;
mod message;
mod names;
mod parse;
mod splice;
#[cfg(test)]
mod tests;
mod token;
#[expect(
    clippy::large_enum_variant,
    clippy::struct_excessive_bools,
    reason = "the tree is written as the grammar is, and lives for a short time"
)]
pub mod tree;
mod words;

use raddle_base::{FileId, Span};
use raddle_diag::Diagnostic;

use crate::lexer::Source;
use crate::message::{Messages, limit_error};
use crate::splice::Spliced;

/// What was read, and what is wrong with it. The tree leaves out what could not be understood.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub unit: tree::Unit,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a preprocessed translation unit. Spans count bytes of `text`.
///
/// Nesting and the height of the tree are bounded. Reading, walking and dropping the highest tree wants a stack
/// of 16 MiB in an unoptimised build.
pub fn parse(file: FileId, text: &[u8]) -> Parsed {
    let mut messages = Messages::default();
    if u32::try_from(text.len()).is_err() {
        let span = Span {
            file,
            start: 0,
            end: 0,
        };
        messages.push(limit_error("the file has 4 GiB or more", span, "this file"));
        return Parsed {
            unit: tree::Unit::default(),
            diagnostics: messages.into_sorted_list(),
        };
    }
    let source = Source {
        file,
        spliced: Spliced::new(text),
    };
    let unit = parse::parse(&source, &mut messages);
    Parsed {
        unit,
        diagnostics: messages.into_sorted_list(),
    }
}
