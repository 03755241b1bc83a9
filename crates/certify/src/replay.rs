//! Replays a trace, step by step.

use std::fmt;

use raddle_engine::{Budget, Reason, Trace, endless_wait};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, State, Stop, Violation};
use raddle_ir::interpret::{happens_before, serializability};

/// Where a trace and the program part. Steps count from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The trace shows a violation of another property than the verdict is about.
    OtherProperty {
        claimed: Property,
    },
    /// The property was not among those asked for.
    NotAskedFor {
        property: Property,
    },
    NoInitialState {
        initial: usize,
    },
    CannotStep {
        step: usize,
    },
    /// The execution ends before the trace does.
    Stops {
        step: usize,
    },
    /// The trace is an execution, but its end shows no such violation.
    NoViolation,
    /// The trace is an execution, but there was no looking at all that can come after it.
    Undecided(Reason),
    /// The trace is an execution, but no such circle of units of work lies in it.
    Serializable,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::OtherProperty { claimed } => write!(f, "it is about `{claimed}`"),
            Mismatch::NotAskedFor { property } => write!(f, "`{property}` was not asked for"),
            Mismatch::NoInitialState { initial } => {
                write!(f, "there is no initial state {initial}")
            }
            Mismatch::CannotStep { step } => write!(f, "step {step} cannot be taken"),
            Mismatch::Stops { step } => write!(f, "the execution ends at step {step}"),
            Mismatch::NoViolation => f.write_str("its end shows no such violation"),
            Mismatch::Undecided(reason) => {
                write!(
                    f,
                    "not all that can come after its end was looked at: {reason}"
                )
            }
            Mismatch::Serializable => {
                f.write_str("it does not order units of work in such a circle")
            }
        }
    }
}

impl std::error::Error for Mismatch {}

/// Whether the trace is an execution of the program that shows the violation it claims: at its end, in all that can
/// come after it if the claim is that a thread waits for ever or that none can go on, or as a whole if it is about the order
/// of units of work.
///
/// # Errors
///
/// Where it goes wrong.
pub fn replay(program: &Program, semantics: &Semantics, trace: &Trace) -> Result<(), Mismatch> {
    replay_within(program, semantics, trace, &Budget::unlimited())
}

/// The same; a look at all that can come is taken only within the budget.
pub(crate) fn replay_within(
    program: &Program,
    semantics: &Semantics,
    trace: &Trace,
    budget: &Budget,
) -> Result<(), Mismatch> {
    let property = trace.violation.property;
    if !semantics.properties.contains(&property) {
        return Err(Mismatch::NotAskedFor { property });
    }
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let start = interpreter
        .initial_state(trace.initial)
        .ok_or(Mismatch::NoInitialState {
            initial: trace.initial,
        })?;
    if property == Property::AtomicSets {
        return replay_whole(&interpreter, &start, trace);
    }
    let mut state = start.clone();
    for (index, step) in trace.steps.iter().enumerate() {
        let is_last = index + 1 == trace.steps.len();
        let successor = interpreter
            .take(&state, step)
            .ok_or(Mismatch::CannotStep { step: index + 1 })?;
        if is_last && shows(&successor.violations, &trace.violation) {
            return Ok(());
        }
        state = match successor.outcome {
            Outcome::Next(next) => next,
            Outcome::Stopped(Stop::Violation(violation)) if is_last => {
                return if is_claimed(&violation, &trace.violation) {
                    Ok(())
                } else {
                    Err(Mismatch::NoViolation)
                };
            }
            Outcome::Stopped(_) => return Err(Mismatch::Stops { step: index + 1 }),
        };
    }
    if shows(&interpreter.judge(&state), &trace.violation) {
        return Ok(());
    }
    if property == Property::Race {
        // The claim may be about the last step and an earlier one.
        let found = happens_before::violation(&interpreter, &start, &trace.steps);
        return match found {
            Ok(Some(found)) if is_claimed(&found, &trace.violation) => Ok(()),
            Ok(_) | Err(_) => Err(Mismatch::NoViolation),
        };
    }
    if property != Property::Deadlock {
        return Err(Mismatch::NoViolation);
    }
    // The claim may be about all that can come after the end: a thread waits in all of it, or nobody gets out of it.
    match endless_wait(&interpreter, &state, budget) {
        Ok(Some(found)) if is_claimed(&found, &trace.violation) => Ok(()),
        Ok(_) => Err(Mismatch::NoViolation),
        Err(reason) => Err(Mismatch::Undecided(reason)),
    }
}

/// Whether the units of work of the whole execution are ordered in the circle that is claimed (AS §2).
fn replay_whole(
    interpreter: &Interpreter<'_>,
    start: &State,
    trace: &Trace,
) -> Result<(), Mismatch> {
    let mut state = start.clone();
    for (index, step) in trace.steps.iter().enumerate() {
        let successor = interpreter
            .take(&state, step)
            .ok_or(Mismatch::CannotStep { step: index + 1 })?;
        state = match successor.outcome {
            Outcome::Next(next) => next,
            Outcome::Stopped(_) => return Err(Mismatch::Stops { step: index + 1 }),
        };
    }
    let found = serializability::violations(interpreter, start, &trace.steps);
    if shows(&found, &trace.violation) {
        Ok(())
    } else {
        Err(Mismatch::Serializable)
    }
}

fn shows(found: &[Violation], claimed: &Violation) -> bool {
    found.iter().any(|it| is_claimed(it, claimed))
}

/// The very violation that is claimed, participants included: those are what the report shows.
/// A trace read from a file knows its threads and edges, but no longer the bytes of its sources.
fn is_claimed(found: &Violation, claimed: &Violation) -> bool {
    found.property == claimed.property
        && found.message == claimed.message
        && found.labels == claimed.labels
        && (claimed.span.is_none() || found.span == claimed.span)
}
