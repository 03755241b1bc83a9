//! One execution of a program, as a machine might run it.

use raddle_diag::Diagnostic;
use raddle_engine::{Note, Reason, Remedy};
use raddle_ir::Program;
use raddle_ir::interpret::{Ending, Interpreter, Property, Semantics, Stop, Value};
use raddle_stepper::execute::{ExecutionEnd, Scheduler, Seeded};

/// How to run a program.
#[derive(Clone, Copy, Debug)]
pub struct ExecuteOptions {
    /// Of what looks random: which thread goes on, and undetermined values.
    pub seed: u64,
    /// The execution ends after so many steps.
    pub max_steps: u64,
}

/// What came of an execution.
#[derive(Debug)]
pub struct Executed {
    pub end: ExecutedEnd,
    /// How many steps were taken.
    pub steps: u64,
}

/// How an execution ended.
#[derive(Debug)]
pub enum ExecutedEnd {
    /// With this status, of which an operating system keeps the low byte. A program whose threads all come to their
    /// end has the status that its first thread gave, or 0.
    Exit(i128),
    Abort,
    /// Something went wrong: a violation.
    Violation(Property, Diagnostic),
    /// Nobody can say how it goes on: undefined behaviour, something unsupported, or a limit.
    Unknown(Note),
}

/// Executes a program once. What it prints goes to `output` at once.
pub fn execute(
    program: &Program,
    options: ExecuteOptions,
    output: &mut dyn FnMut(&[u8]),
) -> Executed {
    let interpreter = raddle_stepper::quick_definition(program, Semantics::default());
    let mut scheduler = Seeded::new(options.seed);
    let mut states = match interpreter.initial_states() {
        Ok(states) => states,
        Err(stop) => {
            return Executed {
                end: stopped(program, &stop),
                steps: 0,
            };
        }
    };
    let chosen = scheduler.choose(states.len());
    let start = states.swap_remove(chosen);
    let execution = raddle_stepper::execute::execute(
        &interpreter,
        start,
        &mut scheduler,
        options.max_steps,
        output,
    );
    let end = match execution.end {
        ExecutionEnd::Ended(Ending::Exit(status)) => ExecutedEnd::Exit(status),
        ExecutionEnd::Ended(Ending::Abort) => ExecutedEnd::Abort,
        ExecutionEnd::ThreadsEnded(Value::Bits(status)) => {
            ExecutedEnd::Exit(i128::try_from(status).unwrap_or(0))
        }
        ExecutionEnd::ThreadsEnded(Value::Undefined) => ExecutedEnd::Exit(0),
        ExecutionEnd::Stopped(stop) => stopped(program, &stop),
        ExecutionEnd::Blocked => blocked(program, &interpreter, &execution.state),
        ExecutionEnd::StepLimit => {
            let limit = options.max_steps;
            let message = format!("the program was stopped after {limit} steps");
            let diagnostic = Diagnostic::warning("step-limit", message);
            ExecutedEnd::Unknown(Note::new(diagnostic, Remedy::RaiseStepLimit))
        }
    };
    Executed {
        end,
        steps: execution.steps,
    }
}

fn stopped(program: &Program, stop: &Stop) -> ExecutedEnd {
    if let Stop::Violation(violation) = stop {
        let diagnostic = crate::diagnostics::labelled(program, violation);
        return ExecutedEnd::Violation(violation.property, diagnostic);
    }
    let reason = Reason::from_stop(stop, None);
    let mut diagnostic = Diagnostic::warning(reason.code(), reason.to_string());
    if let Some(span) = reason.span() {
        diagnostic = diagnostic.at(span, "here");
    }
    ExecutedEnd::Unknown(diagnostic.into())
}

/// Nobody can go on: a deadlock, or an assumption that does not hold.
fn blocked(
    program: &Program,
    interpreter: &Interpreter<'_>,
    state: &raddle_ir::interpret::State,
) -> ExecutedEnd {
    let violations = interpreter.judge(state);
    match violations
        .iter()
        .find(|it| it.property == Property::Deadlock)
    {
        Some(deadlock) => ExecutedEnd::Violation(
            Property::Deadlock,
            crate::diagnostics::labelled(program, deadlock),
        ),
        None => ExecutedEnd::Unknown(Note::new(
            Diagnostic::warning(
                "blocked",
                "no thread can go on, because an assumption does not hold",
            ),
            Remedy::OtherSeed,
        )),
    }
}
