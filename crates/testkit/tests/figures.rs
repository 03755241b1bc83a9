//! Figures that the reductions are held to: stored states of the papers' examples and of counters under locks.

use std::collections::BTreeMap;

use raddle_engine::Reduction;
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_testkit::against_gcc::compiler;
use raddle_testkit::header::Expected;
use raddle_testkit::{reductions, run, walk};

/// The increments of each thread.
const TURNS: u64 = 3;

/// Every way to say which lock protects the counter.
const COUNTERS: [&str; 6] = [
    "counter-under-a-global-lock",
    "counter-under-a-lock-in-its-struct",
    "counter-under-a-lock-in-an-array",
    "counter-under-a-lock-on-the-heap",
    "counter-under-a-lock-taken-by-a-callee",
    "counter-under-a-re-entrant-lock",
];

fn load(path: &str, definitions: &str) -> Program {
    let programs = walk::programs(&walk::repository_root()).expect("they can be read");
    let found = programs.iter().find(|it| it.name == path);
    let program = found.unwrap_or_else(|| panic!("there is no {path}"));
    let header = program.header().expect("the header is right");
    run::load(&format!("{definitions}{}", program.source), &header).expect("it is a program")
}

/// The stored states with a reduction; the assertion holds.
fn stored(path: &str, definitions: &str, reduction: Reduction) -> u64 {
    let program = load(path, definitions);
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let answers = reductions::reduced(&program, &semantics, &[reduction]);
    let [answer] = &answers[..] else {
        panic!("one engine reduces")
    };
    assert_eq!(
        answer.verdicts(),
        BTreeMap::from([(Property::Assert, Expected::Safe)]),
        "{path}"
    );
    answer.counters()["states"]
}

fn counter(name: &str, threads: u64, reduction: Reduction) -> u64 {
    let definitions = format!("#define THREADS {threads}\n#define TURNS {TURNS}\n");
    stored(
        &format!("tests/c/reduction/{name}.c"),
        &definitions,
        reduction,
    )
}

fn has_compiler() -> bool {
    compiler::models_for_tests().contains(&raddle_ir::DataModel::Lp64)
}

#[test]
fn the_barrier_of_the_paper_has_106_states_and_38_with_optimistic() {
    let barrier = "examples/papers/sc-barrier.rad";
    assert_eq!(stored(barrier, "", Reduction::None), 106);
    assert_eq!(stored(barrier, "", Reduction::Optimistic), 38);
}

/// Both reductions that find locks while searching: T=4 stays below 512 states, and another thread multiplies by at most the
/// turns and two.
#[test]
fn a_locked_counter_grows_by_less_than_its_turns_and_two_for_each_thread() {
    if !has_compiler() {
        return;
    }
    for reduction in [Reduction::Phase, Reduction::Optimistic] {
        for name in COUNTERS {
            let states: Vec<u64> = [2, 3, 4]
                .into_iter()
                .map(|threads| counter(name, threads, reduction))
                .collect();
            assert!(states[2] <= 512, "{name} with {reduction}: {states:?}");
            for pair in states.windows(2) {
                assert!(
                    pair[1] <= (TURNS + 2) * pair[0],
                    "{name} with {reduction}: {states:?}"
                );
            }
        }
    }
}

#[test]
fn two_counters_under_two_locks_have_at_most_the_square_of_one() {
    if !has_compiler() {
        return;
    }
    for reduction in [Reduction::Phase, Reduction::Optimistic] {
        for threads in [2, 3] {
            let one = counter(COUNTERS[0], threads, reduction);
            let two = counter("two-counters-under-two-locks", threads, reduction);
            assert!(
                two <= one * one,
                "{threads} threads with {reduction}: {two} and {one}"
            );
        }
    }
}

#[test]
fn a_counter_without_one_lock_for_all_is_not_taken_for_protected() {
    if !has_compiler() {
        return;
    }
    let program = load(
        "tests/c/reduction/counter-under-a-lock-of-each-thread.c",
        "",
    );
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    for answer in reductions::reduced(&program, &semantics, &Reduction::ALL) {
        assert_eq!(
            answer.verdicts()[&Property::Assert],
            Expected::Unsafe,
            "{}",
            answer.reduction
        );
    }
}
