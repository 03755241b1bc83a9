//! Futures on random executions: whatever a thread touches was among its prospects in every state before, and where its
//! prospects name addresses, one of them was the right one.

use raddle_analysis::futures::{Futures, Prospect};
use raddle_analysis::points_to::PointsTo;
use raddle_generate::{Profile, generate};
use raddle_ir::arithmetic::split_pointer;
use raddle_ir::interpret::{Interpreter, Outcome, Semantics, State, StepPart, ThreadNumber, Value};
use raddle_ir::{FunctionId, Program};
use raddle_testkit::misread::Misreading;

/// A frame of a thread with one of its prospects.
type Expected<'a> = (FunctionId, Vec<Value>, &'a Prospect);

fn prospects<'a>(futures: &'a Futures, state: &State, thread: ThreadNumber) -> Vec<Expected<'a>> {
    let frames = &state.threads[&thread].frames;
    let mut found = Vec::new();
    for (depth, frame) in frames.iter().enumerate() {
        let mut registers = frame.registers.clone();
        if let Some(target) = frames.get(depth + 1).and_then(|it| it.target) {
            registers[raddle_base::Id::index(target)] = Value::Undefined;
        }
        for prospect in futures.from(frame.function, frame.location) {
            found.push((frame.function, registers.clone(), prospect));
        }
    }
    found
}

/// What is wrong with what was expected of an access in a state before it.
fn surprise(
    interpreter: &Interpreter<'_>,
    futures: &Futures,
    (before, now): (&State, &State),
    thread: ThreadNumber,
    part: &StepPart,
) -> Option<String> {
    let program = interpreter.program();
    let action = &program.edge(part.function, part.edge).action;
    let operands = interpreter.pointed_to(now, thread, part);
    for operand in 0..action.operands(program.model).len() {
        let expected: Vec<Expected<'_>> = prospects(futures, before, thread)
            .into_iter()
            .filter(|(_, _, it)| {
                (it.site.function, it.site.edge, it.site.operand)
                    == (part.function, part.edge, operand)
            })
            .collect();
        if expected.is_empty() {
            return Some(format!("{action:?} was not expected"));
        }
        let addresses: Option<Vec<u128>> = expected
            .iter()
            .map(|(function, registers, prospect)| {
                let path = prospect.path.as_ref().filter(|it| it.loads.is_empty())?;
                interpreter.evaluated(before, thread, *function, registers, &path.expression)
            })
            .collect();
        if let (Some(addresses), Some((object, offset))) = (addresses, operands.get(operand)) {
            let is_right = addresses
                .iter()
                .any(|it| split_pointer(*it, program.model) == (object.0, *offset));
            if !is_right {
                return Some(format!("{action:?} is somewhere else: {addresses:x?}"));
            }
        }
    }
    None
}

/// One execution with pseudo-random choices: its states and the steps between them.
fn execution(
    interpreter: &Interpreter<'_>,
    mut choice: u64,
) -> (Vec<State>, Vec<(ThreadNumber, Vec<StepPart>)>) {
    let Ok(mut initial) = interpreter.initial_states() else {
        return (Vec::new(), Vec::new());
    };
    let mut states = vec![initial.swap_remove(0)];
    let mut steps = Vec::new();
    for _ in 0..60 {
        let state = states.last().expect("begins somewhere");
        let mut successors = interpreter.successors(state);
        successors.retain(|it| matches!(it.outcome, Outcome::Next(_)));
        if successors.is_empty() {
            break;
        }
        choice = choice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let chosen = usize::try_from(choice >> 33).expect("31 bits") % successors.len();
        let successor = successors.swap_remove(chosen);
        if let Outcome::Next(next) = successor.outcome {
            steps.push((successor.step.thread, successor.step.parts));
            states.push(next);
        }
    }
    (states, steps)
}

/// What is touched unexpectedly by one who may have misread the program.
fn surprises(program: &Program, read: &Program, seed: u64) -> Vec<String> {
    let Ok(points_to) = PointsTo::new(read) else {
        return Vec::new();
    };
    if points_to.not_understood().is_some() {
        return Vec::new();
    }
    let futures = Futures::new(&points_to, |_| true).expect("small programs have few prospects");
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let (states, steps) = execution(&interpreter, seed);
    let mut found = Vec::new();
    for (at, (thread, parts)) in steps.iter().enumerate() {
        // Inside an atomic section, addresses are made on the way.
        let [part] = parts.as_slice() else {
            continue;
        };
        for (earlier, before) in states[..=at].iter().enumerate() {
            let is_there = before
                .threads
                .get(thread)
                .is_some_and(|it| !it.frames.is_empty());
            if !is_there {
                continue;
            }
            let pair = (before, &states[at]);
            if let Some(what) = surprise(&interpreter, &futures, pair, *thread, part) {
                found.push(format!("seed {seed}, step {at} from {earlier}: {what}"));
            }
        }
    }
    found
}

#[test]
fn nothing_is_touched_that_was_not_expected() {
    let mut found = Vec::new();
    for seed in 1..300 {
        let program = generate(seed, &Profile::default());
        found.extend(surprises(&program, &program, seed));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn who_overlooks_stores_is_surprised() {
    let is_surprised = (1..300).any(|seed| {
        let program = generate(seed, &Profile::default());
        let misread = Misreading::Stores.of(&program);
        misread.is_some_and(|it| !surprises(&program, &it, seed).is_empty())
    });
    assert!(is_surprised);
}
