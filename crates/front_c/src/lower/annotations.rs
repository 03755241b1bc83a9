//! Annotations of the user: comments `//@ invariant e` and `//@ exclusive x when e`, or attributes
//! `annotate("raddle:invariant e")`.

use raddle_base::{FileId, Id, Span};
use raddle_c_syntax::tree::{Annotation, Expression as Tree, Initializer, Item};
use raddle_diag::Diagnostic;
use raddle_ir::{Exclusive, Formula, Invariant};

use super::formulas::{Maker, Terms};
use super::{Annotated, Lowering};

/// Keys of the headers of test programs, which are comments of the same form.
const HEADER: &[&str] = &["truth", "expect", "counters", "options", "why", "models"];

/// Words by which annotations of ACSL begin, the language of other verifiers; they are not for us.
const FOREIGN: &[&str] = &[
    "admit",
    "admits",
    "allocates",
    "assert",
    "assigns",
    "assumes",
    "axiom",
    "axiomatic",
    "behavior",
    "breaks",
    "calls",
    "check",
    "complete",
    "continues",
    "decreases",
    "disjoint",
    "ensures",
    "exits",
    "for",
    "frees",
    "ghost",
    "global",
    "import",
    "lemma",
    "logic",
    "loop",
    "model",
    "predicate",
    "requires",
    "returns",
    "slice",
    "terminates",
    "type",
    "volatile",
];

/// The words of [`atomic_sets`](super::atomic_sets).
const SETS: &[&str] = &["atomic", "unit"];

/// The first word of an annotation, and what follows; `None` if it is not for us.
pub(super) fn split(annotation: &Annotation) -> Option<(&str, &str)> {
    let text = annotation.text.trim();
    let word_end = text
        .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let is_header = rest.starts_with(':') && HEADER.contains(&word);
    let is_foreign = text.is_empty() || is_header || FOREIGN.contains(&word);
    (!is_foreign).then_some((word, rest))
}

/// Whether some annotation may speak of labels.
pub(super) fn name_points(annotated: &Annotated<'_>) -> bool {
    annotated
        .annotations
        .iter()
        .filter_map(|it| split(it))
        .any(|(word, rest)| word == "exclusive" && rest.replace(' ', "").contains("at("))
}

/// Whether some annotation is a formula.
pub(super) fn have_formulas(annotated: &Annotated<'_>) -> bool {
    let mut split = annotated.annotations.iter().filter_map(|it| split(it));
    split.any(|(word, _)| word == "invariant" || word == "exclusive")
}

/// As in `race`, or `race: nobody needs the exact number`.
fn names_race(rest: &str) -> bool {
    let what = rest.split(':').next().unwrap_or(rest);
    what.trim() == "race"
}

/// Adds what annotations say to the program.
pub(super) fn lower(lowering: &mut Lowering<'_>, annotated: &Annotated<'_>) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for annotation in &annotated.annotations {
        let Some((word, rest)) = split(annotation) else {
            continue;
        };
        let span = annotation.span;
        let result = match word {
            "invariant" => lowering.invariant(rest, span),
            "exclusive" => lowering.exclusive(rest, span),
            word if SETS.contains(&word) => Ok(()),
            // Whoever has the text knows which line that is.
            "ignore" if names_race(rest) => Ok(()),
            "ignore" => Err(refused("only races can be ignored", span)
                .help("write `//@ ignore race` on the line of an access, or alone on the line before")),
            _ => Err(Diagnostic::error(
                "c",
                format!("`{word}` is no annotation"),
            )
            .at(span, "here")
            .help("write `invariant …`, `exclusive … when …`, `atomic(…)`, `unit` or `ignore race`; for a comment, leave out the `@`")),
        };
        wrong.extend(result.err());
    }
    wrong
}

pub(super) type Made<T> = Result<T, Diagnostic>;

pub(super) fn refused(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error("c", message).at(span, "in this annotation")
}

impl Lowering<'_> {
    fn invariant(&mut self, text: &str, span: Span) -> Made<()> {
        let formula = self.formula(text, span, Terms::Invariant)?;
        self.draft.invariants.push(Invariant {
            formula,
            span: Some(span),
        });
        Ok(())
    }

    fn exclusive(&mut self, text: &str, span: Span) -> Made<()> {
        let Some((place, condition)) = text.split_once(" when ") else {
            return Err(refused("`exclusive` needs a condition", span)
                .help("write `//@ exclusive x when owner(m) == self`"));
        };
        let tree = expression(place, span)?;
        let (address, ty, elements) = Maker::cell(self, span, &tree)?;
        let index = elements.as_ref().map(|it| it.variable.clone());
        let condition = self.formula(condition, span, Terms::Exclusive { index })?;
        self.draft.exclusives.push(Exclusive {
            address,
            ty,
            elements,
            condition,
            span: Some(span),
        });
        Ok(())
    }

    fn formula(&mut self, text: &str, span: Span, terms: Terms) -> Made<Formula> {
        let tree = expression(text, span)?;
        Maker::new(self, span, terms).formula(&tree)
    }
}

/// Reads an expression.
fn expression(text: &str, span: Span) -> Made<Tree> {
    // A file that is none: its places mean nothing to the user.
    let nowhere = FileId::from_index(u32::MAX as usize - 1);
    let parsed = raddle_c_syntax::parse(nowhere, format!("int formula = {text}\n;").as_bytes());
    if let Some(first) = parsed.diagnostics.first() {
        return Err(refused(first.message.clone(), span));
    }
    let [Item::Declaration(declaration)] = &*parsed.unit.items else {
        return Err(refused("an annotation is one expression", span));
    };
    match &*declaration.declarators {
        [only] => match &only.initializer {
            Some(Initializer::Expression(tree)) => Ok(tree.clone()),
            Some(Initializer::List(_)) | None => Err(refused("an expression is missing", span)),
        },
        _ => Err(refused("an annotation is one expression", span)),
    }
}
