//! Pragmas: those that change what the program means, where they stand.

use raddle_base::Span;
use raddle_c_syntax::tree::{Name, Pragma};
use raddle_diag::Diagnostic;

use super::Checker;
use super::attribute::refused_option;
use crate::gnu::{Fate, pragmas};
use crate::typed::{Statement, StatementKind};

const IGNORE_OPENMP: &str =
    "say `-- -fno-openmp` to have pragmas of OpenMP ignored, as gcc does without `-fopenmp`";

impl Checker {
    /// Pragmas of a function up to a place: reaching one that is not modelled makes the verdict unknown.
    pub(super) fn meet_pragmas(&mut self, place: u32, out: &mut Vec<Statement>) {
        while let Some(pragma) = self.next_pragma(place) {
            if self.is_modelled(&pragma) {
                continue;
            }
            out.push(Statement {
                kind: StatementKind::Unsupported(format!("`#pragma {}`", pragma.text)),
                span: pragma.span,
            });
        }
    }

    /// Pragmas outside of functions up to a place.
    pub(super) fn meet_file_pragmas(&mut self, place: u32) {
        while let Some(pragma) = self.next_pragma(place) {
            // Announces versions of a function for vectors.
            if self.is_modelled(&pragma) || pragma.text.starts_with("omp declare simd") {
                continue;
            }
            let message = format!("`#pragma {}` is not supported", pragma.text);
            let mut diagnostic =
                Diagnostic::error("c-unsupported", message).at(pragma.span, "not supported");
            if pragma.text.starts_with("omp ") {
                diagnostic = diagnostic.help(IGNORE_OPENMP);
            } else {
                diagnostic = diagnostic.help("check the program without it");
            }
            self.report(diagnostic);
        }
    }

    fn next_pragma(&mut self, place: u32) -> Option<Pragma> {
        let pragma = self.pragmas.get(self.pragmas_met)?;
        if pragma.span.start >= place {
            return None;
        }
        self.pragmas_met += 1;
        Some(pragma.clone())
    }

    /// Whether a pragma may be passed over, with a warning if nobody has heard of it.
    fn is_modelled(&mut self, pragma: &Pragma) -> bool {
        match pragmas::fate(&pragma.text) {
            Some(Fate::Understood | Fate::Harmless | Fate::Promise) => true,
            Some(Fate::Unsupported) => self.ignores_openmp && pragma.text.starts_with("omp"),
            None => {
                let message = format!("`#pragma {}` is not known and ignored", pragma.text);
                self.diagnostics
                    .push(Diagnostic::warning("c", message).at(pragma.span, "ignored"));
                true
            }
        }
    }

    /// Whether `#pragma weak NAME` stands somewhere in the unit, and what it is an alias of then.
    pub(super) fn weak_pragma(&self, name: &Name) -> (bool, Option<Name>) {
        let found = self.pragmas.iter().find_map(|pragma| {
            let words: Vec<&str> = pragma.text.split(' ').collect();
            match words[..] {
                ["weak", weak] if *weak == **name => Some((true, None)),
                ["weak", weak, "=", target] if *weak == **name => {
                    Some((true, Some(Name::from(target))))
                }
                _ => None,
            }
        });
        found.unwrap_or((false, None))
    }

    /// Whether `#pragma scalar_storage_order` asks for big-endian structs at a place.
    pub(super) fn is_big_endian_at(&self, span: Span) -> bool {
        self.pragmas_before(span)
            .filter_map(|pragma| pragma.text.strip_prefix("scalar_storage_order "))
            .next_back()
            .is_some_and(|order| order == "big-endian")
    }

    /// Why a function at a place is not supported, if `#pragma GCC optimize` or `target` changes the language for it.
    pub(super) fn refused_options_at(&self, span: Span) -> Option<String> {
        let mut refused: Option<String> = None;
        let mut pushed = Vec::new();
        for pragma in self.pragmas_before(span) {
            let Some(text) = pragma.text.strip_prefix("GCC ") else {
                continue;
            };
            match text {
                "push_options" => pushed.push(refused.clone()),
                "pop_options" => refused = pushed.pop().flatten(),
                "reset_options" => refused = None,
                _ => {
                    let is_target = text.starts_with("target");
                    if is_target || text.starts_with("optimize") {
                        // What stands in quotes are options.
                        let found = text
                            .split('"')
                            .skip(1)
                            .step_by(2)
                            .find_map(|words| refused_option(words, is_target));
                        refused = found.or(refused);
                    }
                }
            }
        }
        refused
    }

    fn pragmas_before(&self, span: Span) -> impl DoubleEndedIterator<Item = &Pragma> {
        self.pragmas
            .iter()
            .filter(move |pragma| pragma.span.start < span.start)
    }
}
