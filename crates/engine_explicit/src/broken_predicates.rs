//! What is said of predicates of exclusive access that do not hold.

use raddle_diag::Diagnostic;
use raddle_engine::{Note, Reduction, Remedy};
use raddle_ir::Program;
use raddle_reduce::predicates::{Broken, Fault, Predicates};

/// A warning for each predicate that was given up, with the step that broke it.
pub(crate) fn warnings(
    program: &Program,
    predicates: &Predicates,
    reduction: Reduction,
) -> Vec<Note> {
    predicates
        .faults()
        .into_values()
        .map(|broken| warning(program, &broken, reduction))
        .collect()
}

fn warning(program: &Program, broken: &Broken, reduction: Reduction) -> Note {
    let name = &broken.name;
    let thread = |at: usize| broken.threads.get(at).map_or("?", String::as_str);
    let (message, label, remedy) = match broken.fault {
        Fault::Access(_) => (
            format!(
                "the predicate of exclusive access to `{name}` does not hold when thread `{}` accesses it",
                thread(0)
            ),
            "accessed here",
            Remedy::ChangeProgram(
                "let the thread have what the predicate asks for before the access, or let the predicate ask for less",
            ),
        ),
        Fault::Shared(..) => (
            format!(
                "the predicate of exclusive access to `{name}` holds for the threads `{}` and `{}` at once",
                thread(0),
                thread(1)
            ),
            "from here on",
            Remedy::ChangeProgram(
                "let the predicate ask for more, so that it holds for one thread at a time",
            ),
        ),
        Fault::Given { .. } => (
            format!(
                "exclusive access to `{name}` is given to thread `{}` by thread `{}`, which the reduction `{reduction}` does not accept",
                thread(1),
                thread(0)
            ),
            "given here",
            Remedy::UseAbleReduction {
                reduction: Reduction::Optimistic,
                why: "which does",
            },
        ),
        Fault::NotOwn => (
            format!(
                "the predicate of exclusive access to `{name}` names no lock or thread that it always asks for, so others might give or take it, which the reduction `{reduction}` does not accept"
            ),
            "here",
            Remedy::UseAbleReduction {
                reduction: Reduction::Optimistic,
                why: "which checks it step by step",
            },
        ),
        Fault::Taken { .. } => (
            format!(
                "exclusive access to `{name}` is taken from thread `{}` by thread `{}`",
                thread(1),
                thread(0)
            ),
            "taken here",
            Remedy::ChangeProgram("let a thread keep what it has until it gives it up itself"),
        ),
    };
    let mut diagnostic = Diagnostic::warning("wrong-predicate", message);
    if let Some((function, edge)) = broken.place {
        diagnostic = match program.edge(function, edge).span {
            Some(span) => diagnostic.at(span, label),
            None => diagnostic.note(format!("in `{}`", program.functions[function].name)),
        };
    }
    if let Some(span) = broken.span {
        diagnostic = diagnostic.at(span, "the predicate");
    }
    let diagnostic =
        diagnostic.note("the search goes on without it, so that no verdict depends on it");
    Note::new(diagnostic, remedy)
}
