//! The reader of `.rad`, the text form of the IR and the modelling language for people.
//!
//! - `lexer`: text to tokens; `literal`: what numbers and texts say; `words`: reserved words;
//! - `syntax`: the tree; `parse`: tokens to tree;
//! - `lower`: names, types, and the tree to a draft of a program, which the validator of the IR then judges.
//!
//! `docs/language.md` describes the language.

mod lexer;
mod literal;
mod lower;
mod message;
mod parse;
mod syntax;
mod words;

#[cfg(test)]
mod tests;

use raddle_base::{FileId, Span};
use raddle_diag::Diagnostic;
use raddle_ir::{DataModel, Program, ProgramDraft};

use message::Messages;

/// Reads the items of all files as one program.
///
/// # Errors
///
/// At most some twenty diagnostics, each with a place: codes `syntax`, `name`, `type`, `limit` and `invalid`.
pub fn read(
    files: &[(FileId, &str)],
    default_model: DataModel,
) -> Result<Program, Vec<Diagnostic>> {
    let draft = read_draft(files, default_model)?;
    raddle_ir::validate(draft).map_err(|broken| {
        let fallback = files.first().map(|(file, _)| Span {
            file: *file,
            start: 0,
            end: 0,
        });
        broken
            .into_iter()
            .take(message::MOST_ERRORS)
            .map(|rule| {
                let mut diagnostic =
                    Diagnostic::error("invalid", rule.message).note(format!("rule {}", rule.rule));
                diagnostic
                    .helps
                    .extend(remedy(rule.rule).map(str::to_owned));
                match rule.span.or(fallback) {
                    Some(span) => diagnostic.at(span, "here"),
                    None => diagnostic,
                }
            })
            .collect()
    })
}

/// What to do about a rule whose message only says what is wrong.
fn remedy(rule: &str) -> Option<&'static str> {
    match rule {
        "V13" => Some("give values only to parts that the type of the variable has"),
        "V31" => Some(
            "write one `{}`, or a conversion of C such as `{%d}`, in the text for each argument",
        ),
        "V37" => Some(
            "name shared variables only; what holds for one thread or at one place is an `assert` there",
        ),
        _ => None,
    }
}

/// Where the files say their data model, as in `model ilp32`.
pub fn model_item(files: &[(FileId, &str)]) -> Option<Span> {
    let mut messages = Messages::default();
    files.iter().find_map(|(file, text)| {
        let items = parse::parse(*file, text, &mut messages);
        items.iter().find_map(|item| match item {
            syntax::Item::Model(_, span) => Some(*span),
            _ => None,
        })
    })
}

/// The same without the judgement of the validator.
fn read_draft(
    files: &[(FileId, &str)],
    default_model: DataModel,
) -> Result<ProgramDraft, Vec<Diagnostic>> {
    let mut messages = Messages::default();
    let mut items = Vec::new();
    for (file, text) in files {
        items.extend(parse::parse(*file, text, &mut messages));
    }
    // What follows from a syntax error would only confuse.
    if !messages.is_empty() {
        return Err(messages.into_list());
    }
    lower::lower(&items, default_model, &mut messages).ok_or_else(|| messages.into_list())
}
