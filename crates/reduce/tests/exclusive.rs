//! Predicates of exclusive access mean what they say (SC §6).

use raddle_ir::interpret::state::Origin;
use raddle_ir::interpret::{Interpreter, ObjectNumber, Property, State, Successor};
use raddle_ir::{BinaryOp, Exclusive, Expression, Program};
use raddle_testkit::header::Truth;
use raddle_testkit::{explore, run, walk};

/// Two threads that may both access a cell, or an access outside the predicate, if any.
fn broken(program: &Program) -> Option<String> {
    let mut found = None;
    let is_whole = explore::explore(program, 100_000, |interpreter, state, successors| {
        for exclusive in &program.exclusives {
            let count = exclusive.elements.as_ref().map_or(1, |it| it.count);
            for index in 0..count {
                found = found
                    .take()
                    .or_else(|| shared(interpreter, state, exclusive, index))
                    .or_else(|| uncovered(interpreter, state, successors, exclusive, index));
            }
        }
    });
    assert!(is_whole, "a program with predicates must be small");
    found
}

fn shared(
    interpreter: &Interpreter<'_>,
    state: &State,
    exclusive: &Exclusive,
    index: u64,
) -> Option<String> {
    let holders: Vec<String> = state
        .threads
        .keys()
        .filter(|&&thread| {
            interpreter.has_exclusive_access(state, exclusive, index, thread) == Some(true)
        })
        .map(|&thread| interpreter.thread_name(state, thread))
        .collect();
    (holders.len() > 1).then(|| format!("element {index} belongs to {}", holders.join(" and ")))
}

fn uncovered(
    interpreter: &Interpreter<'_>,
    state: &State,
    successors: &[Successor],
    exclusive: &Exclusive,
    index: u64,
) -> Option<String> {
    let (object, offset) = place_of(state, exclusive, index);
    let size = exclusive.ty.size(interpreter.program().model);
    successors.iter().find_map(|successor| {
        let touches = successor.accesses.iter().any(|access| {
            access.object == object
                && access.offset < offset + size
                && offset < access.offset + access.size
        });
        let thread = successor.step.thread;
        let may = interpreter.has_exclusive_access(state, exclusive, index, thread);
        (touches && may != Some(true)).then(|| {
            let name = interpreter.thread_name(state, thread);
            format!("{name} accesses element {index}, which is not its own")
        })
    })
}

/// Where the cell lies that a predicate speaks of.
fn place_of(state: &State, exclusive: &Exclusive, index: u64) -> (ObjectNumber, u64) {
    let (base, first) = match &exclusive.address {
        Expression::Binary(BinaryOp::Offset, base, offset) => match **offset {
            Expression::Constant(bits, _) => (
                &**base,
                u64::try_from(bits).expect("validated: inside the object"),
            ),
            _ => panic!("the validator admits constant offsets only"),
        },
        base => (base, 0),
    };
    let Expression::Global(global) = base else {
        panic!("the validator admits globals only")
    };
    let (number, _) = state
        .objects
        .iter()
        .find(|(_, object)| object.origin == Origin::Global(*global))
        .expect("globals live as long as the process");
    let stride = exclusive.elements.as_ref().map_or(0, |it| it.stride);
    (*number, first + index * stride)
}

/// Programs whose predicates do not hold though nobody races, which is what they are for.
const BROKEN_WITHOUT_A_RACE: [&str; 2] = [
    "tests/c/annotations/exclusive-access-is-broken-without-a-race.c",
    "tests/rad/movers/predicate-broken-without-a-race.rad",
];

#[test]
fn predicates_are_kept_by_programs_without_races_and_broken_by_the_others() {
    let mut kept = 0;
    let mut broken_ones = 0;
    let mut broken_without_a_race = Vec::new();
    for program in walk::programs(&walk::repository_root()).unwrap() {
        if !program.source.contains("exclusive ") {
            continue;
        }
        let header = program.header().unwrap();
        let loaded = run::load(&program.source, &header).unwrap();
        if loaded.exclusives.is_empty() {
            continue;
        }
        match (header.truth[&Property::Race], broken(&loaded)) {
            (Truth::Safe, None) => kept += 1,
            (Truth::Unsafe, Some(_)) => broken_ones += 1,
            (Truth::Safe, Some(_)) => broken_without_a_race.push(program.name),
            (Truth::Unsafe, None) => panic!("{}: the predicate is kept", program.name),
        }
    }
    assert_eq!(broken_without_a_race, BROKEN_WITHOUT_A_RACE);
    assert!(kept >= 3, "{kept}");
    assert!(broken_ones >= 1, "{broken_ones}");
}
