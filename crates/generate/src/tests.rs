use std::collections::{BTreeMap, BTreeSet, VecDeque};

use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, State, Stop};
use raddle_ir::print::print;
use raddle_ir::{BinaryOp, Expression, Program, Scalar};

use crate::{Kind, Profile, Theme, generate, kinds, shrink};

const SEEDS: u64 = 2000;

#[test]
fn every_kind_is_in_at_least_two_percent_of_the_programs() {
    let mut counts: BTreeMap<Kind, u64> = Kind::all().into_iter().map(|kind| (kind, 0)).collect();
    for seed in 0..SEEDS {
        for kind in kinds(&generate(seed, &Profile::default())) {
            *counts.entry(kind).or_insert(0) += 1;
        }
    }
    let rare: Vec<(&str, u64)> = counts
        .iter()
        .filter(|(_, count)| **count * 50 < SEEDS)
        .map(|(kind, count)| (kind.name(), *count))
        .collect();
    assert_eq!(rare, []);
}

/// Whether a number that a pointer became is taken away from another.
fn has_difference_of_addresses(expression: &Expression) -> bool {
    let is_address = |it: &Expression| matches!(it, Expression::Cast(Scalar::Int(_), _));
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => false,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            has_difference_of_addresses(operand)
        }
        Expression::Binary(op, left, right) => {
            *op == BinaryOp::SubtractWrapping && is_address(left) && is_address(right)
                || has_difference_of_addresses(left)
                || has_difference_of_addresses(right)
        }
        Expression::Select(condition, then, otherwise) => [condition, then, otherwise]
            .iter()
            .any(|it| has_difference_of_addresses(it)),
    }
}

#[test]
fn addresses_that_come_back_are_also_subtracted_as_numbers() {
    let profile = Profile {
        themes: vec![(Theme::Recycling, 1)],
        ..Profile::default()
    };
    let subtracts = |seed: &u64| {
        let program = generate(*seed, &profile);
        let mut edges = program.functions.values().flat_map(|it| it.edges.values());
        edges.any(|edge| {
            let mut expressions = edge.action.expressions().into_iter();
            expressions.any(has_difference_of_addresses)
        })
    };
    let count = (0..200).filter(subtracts).count();
    assert!(count >= 20, "{count} of 200 programs");
}

#[test]
fn kinds_have_distinct_names() {
    let names: BTreeSet<&str> = Kind::all().into_iter().map(Kind::name).collect();
    assert_eq!(names.len(), Kind::all().len());
    assert!(!names.contains(""));
}

#[test]
fn equal_seeds_give_equal_programs() {
    for seed in 0..100 {
        let first = generate(seed, &Profile::default());
        assert!(first.is_same_as(&generate(seed, &Profile::default())));
    }
}

/// How many states a program has, at most `limit`, and which properties it violates.
fn explore(program: &Program, limit: usize) -> (usize, BTreeSet<Property>) {
    let interpreter = Interpreter::new(program, Semantics::default());
    let mut violated = BTreeSet::new();
    let start = interpreter.initial_states().expect("few initial values");
    let mut seen: BTreeSet<State> = start.iter().cloned().collect();
    let mut queue: VecDeque<State> = start.into();
    while let Some(state) = queue.pop_front() {
        if seen.len() > limit {
            break;
        }
        let successors = interpreter.successors(&state);
        for violation in interpreter.judge_with(&state, &successors) {
            violated.insert(violation.property);
        }
        for successor in successors {
            violated.extend(successor.violations.iter().map(|it| it.property));
            match successor.outcome {
                Outcome::Next(next) => {
                    if seen.insert(next.clone()) {
                        queue.push_back(next);
                    }
                }
                Outcome::Stopped(Stop::Violation(violation)) => {
                    violated.insert(violation.property);
                }
                Outcome::Stopped(_) => {}
            }
        }
    }
    (seen.len(), violated)
}

#[test]
fn programs_are_small_and_a_third_of_them_is_wrong() {
    let mut sizes = Vec::new();
    let mut wrong = 0;
    let mut properties: BTreeMap<Property, u32> = BTreeMap::new();
    for seed in 0..300 {
        let program = generate(seed, &Profile::default());
        let (size, violated) = explore(&program, 50_000);
        sizes.push(size);
        wrong += usize::from(!violated.is_empty());
        for property in violated {
            *properties.entry(property).or_insert(0) += 1;
        }
    }
    sizes.sort_unstable();
    println!("{wrong} of 300 are wrong: {properties:?}");
    println!("states: median {}, greatest {}", sizes[150], sizes[299]);
    assert!((90..=240).contains(&wrong), "{wrong}");
    assert!(sizes[285] < 5_000, "{}", sizes[285]);
    assert!(sizes[299] <= 50_000, "{}", sizes[299]);
}

/// An engine that is never asked about a property that is violated shows nothing by saying safe.
#[test]
fn every_property_is_violated_by_one_in_twenty_programs() {
    const PROGRAMS: u64 = 1000;
    let mut counts: BTreeMap<Property, u64> = BTreeMap::new();
    for seed in 0..PROGRAMS {
        let program = generate(seed, &Profile::default());
        for property in explore(&program, 3_000).1 {
            *counts.entry(property).or_insert(0) += 1;
        }
    }
    println!("of {PROGRAMS} programs violate: {counts:?}");
    let asked = [
        Property::Assert,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Overflow,
        Property::LockMisuse,
    ];
    let rare: Vec<Property> = asked
        .into_iter()
        .filter(|it| counts.get(it).is_none_or(|count| count * 20 < PROGRAMS))
        .collect();
    assert_eq!(rare, [], "{counts:?}");
}

#[test]
fn shrinking_keeps_what_it_is_asked_to_keep_and_little_else() {
    for seed in 0..40 {
        let program = generate(seed, &Profile::default());
        let (_, violated) = explore(&program, 3_000);
        let Some(&property) = violated.first() else {
            continue;
        };
        let fails = |it: &Program| explore(it, 3_000).1.contains(&property);
        let small = shrink(&program, fails);
        assert!(fails(&small), "seed {seed}");
        let text = print(&small);
        assert!(text.lines().count() < 30, "seed {seed}:\n{text}");
    }
}
