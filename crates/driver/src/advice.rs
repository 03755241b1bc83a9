//! What a person would look at first, given a violation.

use raddle_base::SourceMap;
use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy, Trace};
use raddle_ir::interpret::{Interpreter, Outcome, Property, State, ViolationLabel};

/// What is wrong with actions to take, for a trace that replays.
pub(crate) fn advised(
    diagnostic: Diagnostic,
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    trace: &Trace,
) -> Note {
    match trace.violation.property {
        Property::Race => {
            let state = last_state(interpreter, trace);
            let help = state.and_then(|it| race_advice(interpreter, sources, trace, &it));
            Note {
                diagnostic: help.into_iter().fold(diagnostic, Diagnostic::help),
                remedies: volatile_advice(interpreter, trace).into_iter().collect(),
            }
        }
        Property::Assert
        | Property::Deadlock
        | Property::Memory
        | Property::Leak
        | Property::Overflow
        | Property::LockMisuse
        | Property::Uninitialized
        | Property::Undefined
        | Property::Invariant
        | Property::AtomicSets => diagnostic.into(),
    }
}

/// Many take volatile objects for atomic ones.
fn volatile_advice(interpreter: &Interpreter<'_>, trace: &Trace) -> Option<Remedy> {
    let program = interpreter.program();
    let is_volatile = |label: &ViolationLabel| {
        let span = program.edge(label.function, label.edge).span;
        span.is_some_and(|it| program.volatile.contains(&it))
    };
    let mut labels = trace.violation.labels.iter();
    labels
        .any(is_volatile)
        .then_some(Remedy::TakeVolatileAsAtomic)
}

/// If one of the two holds a lock that the other does not, the other has most likely forgotten it.
fn race_advice(
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    trace: &Trace,
    state: &State,
) -> Option<String> {
    let [first, second] = trace.violation.labels.as_slice() else {
        return None;
    };
    let held = |label: &ViolationLabel| interpreter.locks_held(state, label.thread);
    let (lock, forgetful) = match (held(first).as_slice(), held(second).as_slice()) {
        ([], []) => {
            return Some("hold one lock around both accesses, or make both atomic".to_owned());
        }
        ([lock, ..], []) => (lock.clone(), second),
        ([], [lock, ..]) => (lock.clone(), first),
        ([_, ..], [_, ..]) => {
            return Some(
                "hold one and the same lock around both accesses, or make both atomic".to_owned(),
            );
        }
    };
    let span = interpreter
        .program()
        .edge(forgetful.function, forgetful.edge)
        .span?;
    Some(format!(
        "take `{lock}` before line {}",
        sources.place(span).line
    ))
}

fn last_state(interpreter: &Interpreter<'_>, trace: &Trace) -> Option<State> {
    let mut state = interpreter.initial_state(trace.initial)?;
    for step in &trace.steps {
        state = match interpreter.take(&state, step)?.outcome {
            Outcome::Next(next) => next,
            Outcome::Stopped(_) => return None,
        };
    }
    Some(state)
}
