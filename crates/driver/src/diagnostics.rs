//! What a run says at places in the sources: violations, and what stands in the way of a verdict.

use raddle_diag::Diagnostic;
use raddle_engine::{Reason, Trace};
use raddle_ir::Program;
use raddle_ir::interpret::Violation;
use raddle_witness::FoundData;

use crate::plan::Decider;
use crate::report;

/// The violation, and who found it; as part of a longer execution, if that was cut to this one.
pub(crate) fn of_trace(
    program: &Program,
    decider: Decider,
    trace: &Trace,
    found: Option<FoundData>,
) -> Diagnostic {
    labelled(program, &trace.violation).note(format!(
        "{}, {} of thread{}; found by {}, trace replayed",
        counted(trace.steps.len(), "step", "steps"),
        counted(trace.switches(), "switch", "switches"),
        found.map_or_else(String::new, |it| {
            format!(", cut from {} and {}", it.steps, it.switches)
        }),
        report::decider(decider.engine, decider.reduction),
    ))
}

/// The violation with its participants at their places.
pub(crate) fn labelled(program: &Program, violation: &Violation) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(violation.property.name(), violation.message.clone());
    for label in &violation.labels {
        diagnostic = match program.edge(label.function, label.edge).span {
            Some(span) => diagnostic.at(span, label.text.clone()),
            None => diagnostic.note(format!(
                "in `{}`: {}",
                program.functions[label.function].name, label.text
            )),
        };
    }
    if let Some((span, text)) = &violation.span {
        diagnostic = diagnostic.at(*span, text.clone());
    }
    diagnostic
}

/// Only reasons that lie at some place need one; the others are said in the summary.
pub(crate) fn of_reason(reason: &Reason) -> Option<Diagnostic> {
    let span = reason.span()?;
    let diagnostic = Diagnostic::warning(reason.code(), reason.to_string());
    Some(diagnostic.at(span, "here"))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
