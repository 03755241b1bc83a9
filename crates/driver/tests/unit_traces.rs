//! A trace about units of work on sets that nobody declared: recorded, written, read back, replayed.

use raddle_base::SourceMap;
use raddle_driver::{
    DefaultSets, Mismatch, Options, Program, Property, Trace, TraceFile, load, replay,
    replay_options,
};
use raddle_engine::Semantics;
use raddle_ir::interpret::serializability::violations;
use raddle_ir::interpret::{Interpreter, Outcome, Step, ThreadNumber};

const PROGRAM: &str = "\
struct Pair { low: u8; high: u8 }
var p: Pair
mutex m, n
fn set(value: u8) {
    lock m { p.low = value }
    lock n { p.high = value }
}
thread t { set(1) }
thread u { set(2) }
";

fn sources() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("pair.rad", PROGRAM);
    sources
}

fn semantics() -> Semantics {
    Semantics {
        properties: vec![Property::AtomicSets],
        ..Semantics::default()
    }
}

fn program() -> Program {
    let options = Options {
        atomic_sets: Some(DefaultSets::Structs),
        ..Options::default()
    };
    load(&sources(), &options).expect("it is a program").program
}

/// The first thread goes so far, then the second to its end, then the first.
fn steps(interpreter: &Interpreter<'_>, first: usize) -> Vec<Step> {
    let mut state = interpreter.initial_states().expect("it starts").remove(0);
    let mut steps = Vec::new();
    for (thread, most) in [(0, first), (1, usize::MAX), (0, usize::MAX)] {
        for _ in 0..most {
            let mut successors = interpreter.thread_successors(&state, ThreadNumber(thread));
            if successors.is_empty() {
                break;
            }
            let successor = successors.remove(0);
            steps.push(successor.step);
            state = match successor.outcome {
                Outcome::Next(next) => next,
                Outcome::Stopped(_) => return steps,
            };
        }
    }
    steps
}

fn interrupted(program: &Program) -> Trace {
    let interpreter = Interpreter::new(program, semantics());
    let start = interpreter.initial_states().expect("it starts").remove(0);
    (1..20)
        .find_map(|first| {
            let steps = steps(&interpreter, first);
            let violation = violations(&interpreter, &start, &steps)
                .into_iter()
                .next()?;
            Some(Trace {
                initial: 0,
                steps,
                transactions: Vec::new(),
                violation,
            })
        })
        .expect("a unit can be interrupted between its two locks")
}

fn written(program: &Program) -> TraceFile {
    let trace = interrupted(program);
    let interpreter = Interpreter::new(program, semantics());
    let data = raddle_witness::record(&interpreter, &sources(), &trace);
    let mut file = TraceFile::new(&sources(), program.model, &semantics(), vec![data]);
    file.options.atomic_sets = Some("structs".to_owned());
    TraceFile::from_json(&file.to_json()).expect("it was just written")
}

#[test]
fn the_circle_is_told_with_the_set_that_was_made() {
    let trace = interrupted(&program());
    assert_eq!(
        trace.violation.message,
        "units of work on `object p` fit into no serial order: unit 1 (thread `t`) writes `p.low` before unit 2 \
         (thread `u`) writes it, and unit 2 writes `p.high` before unit 1 writes it"
    );
    assert_eq!(trace.violation.labels.len(), 4);
}

#[test]
fn a_replay_makes_the_same_sets_and_shows_units_and_marks() {
    let file = written(&program());
    let options = replay_options(&file).expect("it names what exists");
    assert_eq!(options.atomic_sets, Some(DefaultSets::Structs));
    let replayed = replay(&sources(), &options, &file, None).expect("it belongs to the program");
    assert_eq!(replayed.outcome, Ok(()));
    let marked: Vec<&str> = replayed
        .moments
        .iter()
        .flat_map(|it| it.marks.iter().map(String::as_str))
        .collect();
    assert_eq!(
        marked,
        [
            "`p.low` written in unit 1 by thread `t`, holding `m`",
            "`p.low` written in unit 2 by thread `u`, holding `m`",
            "`p.high` written in unit 2 by thread `u`, holding `n`",
            "`p.high` written in unit 1 by thread `t`, holding `n`",
        ]
    );
    let events: Vec<&String> = replayed
        .moments
        .iter()
        .filter_map(|it| it.step.as_ref())
        .flat_map(|it| &it.events)
        .collect();
    for (text, count) in [("begins a unit of work", 2), ("ends a unit of work", 2)] {
        let found = events.iter().filter(|it| it.as_str() == text).count();
        assert_eq!(found, count, "{text}");
    }
}

#[test]
fn an_edited_trace_does_not_recur() {
    let program = program();
    let mut file = written(&program);
    file.traces[0].violation.labels[0].step = Some(0);
    let options = replay_options(&file).expect("it names what exists");
    let replayed = replay(&sources(), &options, &file, None).expect("it belongs to the program");
    assert_eq!(replayed.outcome, Err(Mismatch::Serializable));
}

#[test]
fn sets_that_do_not_exist_are_refused() {
    let mut file = written(&program());
    file.options.atomic_sets = Some("some".to_owned());
    let problem = replay_options(&file).expect_err("there are no such sets");
    assert_eq!(
        problem.diagnostic.message,
        "there are no default sets `some`"
    );
}
