//! Claims about the order of units of work are believed only if the whole execution shows them.

use raddle_base::SourceMap;
use raddle_certify::{Audited, Mismatch, Standing, replay};
use raddle_engine::{Trace, Verdict};
use raddle_ir::interpret::serializability::violations;
use raddle_ir::interpret::{
    Effect, Interpreter, Outcome, Property, Semantics, State, Step, ThreadNumber,
};
use raddle_ir::{DataModel, Program};

const TWO_LOCKS: &str = "
var low: u8
var high: u8
var other: u8
mutex m, n
atomicset Range { low, high }
atomicset Other { other }
thread writer {
    unit Range {
        lock m { low = 1 }
        lock n { high = 1 }
    }
    other = 1
}
thread reader {
    let a: u8
    let b: u8
    unit Range {
        lock m { a = low }
        lock n { b = high }
    }
}
";

const WRITER: ThreadNumber = ThreadNumber(0);
const READER: ThreadNumber = ThreadNumber(1);

fn program() -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.rad", TWO_LOCKS);
    raddle_front_rad::read(&[(file, TWO_LOCKS)], DataModel::Lp64).expect("it is a program")
}

/// How long a thread goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Write,
    End,
}

/// The steps of the threads, one after the other.
fn execution(interpreter: &Interpreter<'_>, schedule: &[(ThreadNumber, Until)]) -> Vec<Step> {
    let mut state = start(interpreter);
    let mut steps = Vec::new();
    for (thread, until) in schedule {
        while let Some(successor) = interpreter
            .thread_successors(&state, *thread)
            .into_iter()
            .next()
        {
            steps.push(successor.step);
            let mut effects = successor.effects.iter();
            let has_written = effects.any(|it| matches!(it, Effect::Write { .. }));
            let Outcome::Next(next) = successor.outcome else {
                panic!("nothing goes wrong here")
            };
            state = next;
            if has_written && *until == Until::Write {
                break;
            }
        }
        // The lock is given back.
        if *until == Until::Write {
            let successor = interpreter.thread_successors(&state, *thread).remove(0);
            steps.push(successor.step);
            let Outcome::Next(next) = successor.outcome else {
                panic!("nothing goes wrong here")
            };
            state = next;
        }
    }
    steps
}

fn start(interpreter: &Interpreter<'_>) -> State {
    interpreter.initial_states().expect("it starts").remove(0)
}

/// An execution in which the reader comes between the two halves of the writer, with what it shows.
fn interrupted(interpreter: &Interpreter<'_>) -> Trace {
    let schedule = [
        (WRITER, Until::Write),
        (READER, Until::End),
        (WRITER, Until::End),
    ];
    let steps = execution(interpreter, &schedule);
    let violation = violations(interpreter, &start(interpreter), &steps).remove(0);
    Trace {
        initial: 0,
        steps,
        transactions: Vec::new(),
        violation,
    }
}

#[test]
fn an_execution_whose_units_go_round_in_a_circle_is_accepted() {
    let program = program();
    let semantics = Semantics::default();
    let interpreter = Interpreter::new(&program, semantics.clone());
    let trace = interrupted(&interpreter);
    assert_eq!(
        trace.violation.message,
        "units of work on `Range` fit into no serial order: unit 1 (thread `writer`) writes `low` before unit 2 \
         (thread `reader`) reads it, and unit 2 reads `high` before unit 1 writes it"
    );
    let labels: Vec<&str> = trace
        .violation
        .labels
        .iter()
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(
        labels,
        [
            "`low` written in unit 1 by thread `writer`, holding `m`",
            "`low` read in unit 2 by thread `reader`, holding `m`",
            "`high` read in unit 2 by thread `reader`, holding `n`",
            "`high` written in unit 1 by thread `writer`, holding `n`",
        ]
    );
    for label in &trace.violation.labels {
        let step = label.step.expect("each is a step of the trace");
        assert_eq!(trace.steps[step].thread, label.thread);
    }
    assert_eq!(replay(&program, &semantics, &trace), Ok(()));
    let audited = Audited::new(
        &program,
        &semantics,
        Property::AtomicSets,
        Verdict::Unsafe(trace),
    )
    .expect("it replays");
    assert_eq!(audited.standing(), Standing::Checked);
}

#[test]
fn a_serializable_execution_is_refused() {
    let program = program();
    let semantics = Semantics::default();
    let interpreter = Interpreter::new(&program, semantics.clone());
    let trace = Trace {
        steps: execution(&interpreter, &[(WRITER, Until::End), (READER, Until::End)]),
        ..interrupted(&interpreter)
    };
    assert_eq!(
        replay(&program, &semantics, &trace),
        Err(Mismatch::Serializable)
    );
}

#[test]
fn a_part_of_the_circle_is_not_enough() {
    let program = program();
    let semantics = Semantics::default();
    let interpreter = Interpreter::new(&program, semantics.clone());
    let mut trace = interrupted(&interpreter);
    let closing = trace.violation.labels.iter().filter_map(|it| it.step).max();
    trace.steps.truncate(closing.expect("there are labels"));
    assert_eq!(
        replay(&program, &semantics, &trace),
        Err(Mismatch::Serializable)
    );
}

#[test]
fn a_claim_about_another_set_or_other_accesses_is_refused() {
    let program = program();
    let semantics = Semantics::default();
    let interpreter = Interpreter::new(&program, semantics.clone());
    let trace = interrupted(&interpreter);
    let mut other_set = trace.clone();
    other_set.violation.message = trace.violation.message.replace("`Range`", "`Other`");
    let mut other_access = trace.clone();
    other_access.violation.labels.pop();
    for claim in [other_set, other_access] {
        assert_eq!(
            replay(&program, &semantics, &claim),
            Err(Mismatch::Serializable)
        );
    }
}

#[test]
fn steps_that_cannot_be_taken_are_refused() {
    let program = program();
    let semantics = Semantics::default();
    let interpreter = Interpreter::new(&program, semantics.clone());
    let mut trace = interrupted(&interpreter);
    let again = trace.steps[0].clone();
    trace.steps.push(again);
    let last = trace.steps.len();
    assert_eq!(
        replay(&program, &semantics, &trace),
        Err(Mismatch::CannotStep { step: last })
    );
}
