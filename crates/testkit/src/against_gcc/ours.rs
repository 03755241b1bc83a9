//! Reads and runs a preprocessed C program ourselves, within a time limit.

use std::time::{Duration, Instant};

use raddle_base::SourceMap;
use raddle_diag::{Diagnostic, Severity};
use raddle_front_c::Options;
use raddle_ir::interpret::{Ending, Property, Semantics, Stop, Value};
use raddle_ir::{DataModel, Program};
use raddle_stepper::execute::{ExecutionEnd, FirstPossible};

use super::compiler::End;
use crate::panics::caught;

/// How many steps are taken between two looks at the clock.
const STEPS_AT_ONCE: u64 = 1_000_000;

/// SIGABRT, by which a process that aborts ends.
const ABORTED: i32 = 6;

/// What we made of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ours {
    Ran {
        output: Vec<u8>,
        end: End,
    },
    /// The front end does not accept it.
    Refused(String),
    /// It came to something that is not modelled.
    Unsupported(String),
    /// It did something that it may not do; what it printed before.
    Wrong {
        output: Vec<u8>,
        what: String,
    },
    TimeLimit,
    Panicked(String),
}

/// Reads and runs a program.
pub fn run(text: &[u8], model: DataModel, limit: Duration) -> Ours {
    caught(|| {
        let mut sources = SourceMap::new();
        let file = sources.add("program.i", text);
        match raddle_front_c::read(&[(file, text)], &options(model)) {
            Ok(reading) => execute(&reading.program, limit),
            Err(diagnostics) => Ours::Refused(first_error(&diagnostics)),
        }
    })
    .unwrap_or_else(Ours::Panicked)
}

/// How programs are read.
pub fn options(model: DataModel) -> Options {
    Options {
        model,
        malloc_may_fail: false,
        extern_havoc: false,
        ignores_openmp: false,
        stack_bytes: raddle_front_c::DEFAULT_STACK_BYTES,
        surroundings: raddle_front_c::Surroundings::default(),
        stores_ids_late: false,
        beginning: raddle_front_c::Beginning::Main,
        volatile_is_atomic: false,
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|it| it.severity == Severity::Error)
        .map_or_else(|| "no message".to_owned(), |it| it.message.clone())
}

/// Runs one schedule of a program.
pub fn execute(program: &Program, limit: Duration) -> Ours {
    let started = Instant::now();
    let semantics = Semantics::default();
    let interpreter = raddle_stepper::stepper(program, semantics);
    let mut state = match interpreter.initial_states() {
        Ok(states) => states.into_iter().next().expect("there is one"),
        Err(stop) => return stopped(&stop, Vec::new()),
    };
    let mut output = Vec::new();
    loop {
        let mut emit = |bytes: &[u8]| output.extend_from_slice(bytes);
        let execution = raddle_stepper::execute::execute(
            &interpreter,
            state,
            &mut FirstPossible,
            STEPS_AT_ONCE,
            &mut emit,
        );
        let end = match execution.end {
            ExecutionEnd::Ended(Ending::Exit(status)) => End::Exit(status.to_le_bytes()[0]),
            ExecutionEnd::Ended(Ending::Abort) => End::Signal(ABORTED),
            ExecutionEnd::ThreadsEnded(Value::Bits(status)) => End::Exit(status.to_le_bytes()[0]),
            ExecutionEnd::ThreadsEnded(Value::Undefined) => End::Exit(0),
            ExecutionEnd::Stopped(stop) => return stopped(&stop, output),
            ExecutionEnd::Blocked => {
                let what = "no thread can go on".to_owned();
                return Ours::Wrong { output, what };
            }
            ExecutionEnd::StepLimit if started.elapsed() > limit => return Ours::TimeLimit,
            ExecutionEnd::StepLimit => {
                state = execution.state;
                continue;
            }
        };
        return Ours::Ran { output, end };
    }
}

fn stopped(stop: &Stop, output: Vec<u8>) -> Ours {
    match stop {
        // A failed assertion aborts.
        Stop::Violation(violation) if violation.property == Property::Assert => Ours::Ran {
            output,
            end: End::Signal(ABORTED),
        },
        Stop::Violation(violation) => Ours::Wrong {
            output,
            what: format!("{}: {}", violation.property, violation.message),
        },
        Stop::Unsupported { what, .. } => Ours::Unsupported(what.clone()),
        Stop::ThreadLimit { limit, .. } => Ours::Unsupported(format!("more than {limit} threads")),
        Stop::TooManyChoices { values, .. } => {
            Ours::Unsupported(format!("a choice among {values} values"))
        }
    }
}
