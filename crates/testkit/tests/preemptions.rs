//! Searches by preemption bound, against the search over all states and last threads: with each bound, all that can be violated with so few
//! preemptions is found, and nothing is said about the rest.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use raddle_certify::Audited;
use raddle_engine::{Bound, EndlessWait, Reason, Reduction, Verdict};
use raddle_engine_explicit::{ExplicitEngine, Order};
use raddle_generate::{Profile, generate, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_tasks::header::Header;
use raddle_testkit::oracle::{decide, is_of_order};
use raddle_testkit::seeds::seeds;
use raddle_testkit::switches::{Counted, fewest};
use raddle_testkit::{run, walk};

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 4_000;

/// Bounds that are tried.
const BOUNDS: [usize; 4] = [0, 1, 2, 3];

/// What is wrong with a verdict, if the fewest preemptions of a violation are these.
fn wrong(least: Option<usize>, most: usize, verdict: &Verdict) -> Option<String> {
    let is_within = least.is_some_and(|it| it <= most);
    let is_right = match verdict {
        Verdict::Unsafe(trace) => is_within || is_of_order(trace),
        Verdict::Safe(_) => least.is_none(),
        Verdict::Unknown(Reason::BoundReached(Bound::Preemptions { most: said, spent })) => {
            !is_within && *said == most && spent.is_none()
        }
        // Of these it is said that they were not looked for.
        Verdict::Unknown(Reason::PossibleEndlessWait(EndlessWait::NotLookedFor { .. })) => true,
        Verdict::Unknown(_) => !is_within,
    };
    (!is_right).then(|| format!("{verdict:?} though it takes {least:?}"))
}

/// What is wrong with what the engine says within each bound.
fn mistakes(program: &Program, semantics: &Semantics) -> Vec<String> {
    let counted = Counted::Preemptions;
    let Some(expected) = fewest(program, semantics, counted, MAX_STATES) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for most in BOUNDS {
        let mut engine = ExplicitEngine {
            order: Order::FewestPreemptions { most },
            ..ExplicitEngine::new(Reduction::None)
        };
        let answer = decide(&mut engine, program, semantics);
        for (property, verdict) in answer.verdicts {
            let audited = Audited::new(program, semantics, property, verdict.clone());
            assert!(audited.is_ok(), "{property}: {audited:?}");
            let least = expected.get(&property).copied();
            if let Some(wrong) = wrong(least, most, &verdict) {
                found.push(format!("{property}, at most {most}: {wrong}"));
            }
        }
    }
    found
}

fn load(text: &str) -> Program {
    run::load(text, &Header::default()).expect("it is a program")
}

/// The verdict on one property, with a bound.
fn decided(text: &str, property: Property, most: usize) -> Verdict {
    let program = load(text);
    let semantics = Semantics {
        properties: vec![property],
        ..Semantics::default()
    };
    let mut engine = ExplicitEngine {
        order: Order::FewestPreemptions { most },
        ..ExplicitEngine::new(Reduction::None)
    };
    let mut answer = decide(&mut engine, &program, &semantics);
    answer.verdicts.remove(&property).expect("it was asked")
}

/// The slow one is preempted once, and the others end.
const OVERTAKEN: &str = "
var x: u8
var y: u8
thread slow {
    let a = x
    let b = y
    assert a == 1 || b == 0
}
thread first { x = 1 }
thread second {
    let seen = x
    if seen == 1 { y = 2 }
}
";

#[test]
fn who_ends_or_waits_is_not_preempted() {
    assert!(matches!(
        decided(OVERTAKEN, Property::Assert, 1),
        Verdict::Unsafe(_)
    ));
    let Verdict::Unknown(reason) = decided(OVERTAKEN, Property::Assert, 0) else {
        panic!("it takes a preemption")
    };
    assert_eq!(
        reason.to_string(),
        "no violation with at most 0 preemptions; executions with more were not examined"
    );
}

#[test]
fn a_search_that_leaves_nothing_out_proves() {
    let text = "
        var m: mutex
        var x: u8
        fn work() { acquire m; x = x + 1; release m }
        fn main() { let it = spawn work(); join it; assert x == 1 }
    ";
    let counts = |most| decided(text, Property::Assert, most);
    assert!(matches!(counts(9), Verdict::Safe(_)), "{:?}", counts(9));
}

#[test]
fn within_each_bound_everything_is_found_in_random_programs() {
    let semantics = Semantics::default();
    let mut classes: BTreeMap<usize, u64> = BTreeMap::new();
    for seed in seeds(100) {
        let program = generate(seed, &Profile::default());
        let expected = fewest(&program, &semantics, Counted::Preemptions, MAX_STATES);
        for least in expected.unwrap_or_default().into_values() {
            *classes.entry(least).or_default() += 1;
        }
        let found = mistakes(&program, &semantics);
        if !found.is_empty() {
            let smaller = shrink(&program, |it| !mistakes(it, &semantics).is_empty());
            panic!(
                "seed {seed}: {found:?}\n{}\n{:?}",
                raddle_ir::print::print(&smaller),
                mistakes(&smaller, &semantics)
            );
        }
    }
    println!("violations by their preemptions: {classes:?}");
    assert!(classes.keys().any(|it| *it > 0) || seeds(100).count() < 100);
}

/// Larger ones take too long here.
const MAX_STATES_OF_TESTS: usize = 1_500;

#[test]
fn within_each_bound_everything_is_found_in_the_programs_of_the_tests() {
    let semantics = Semantics {
        has_spurious_wakeups: true,
        ..Semantics::default()
    };
    let mut compared = 0;
    for test in walk::programs(&walk::repository_root()).expect("they can be read") {
        let header = test.header().expect("the header is right");
        if Path::new(&test.name).extension() != Some(OsStr::new("rad")) {
            continue;
        }
        let program = run::load(&test.source, &header).expect("it is a program");
        let counted = Counted::Preemptions;
        if fewest(&program, &semantics, counted, MAX_STATES_OF_TESTS)
            .is_some_and(|it| !it.is_empty())
        {
            compared += 1;
            assert_eq!(mistakes(&program, &semantics), [""; 0], "{}", test.name);
        }
    }
    println!("{compared} programs");
    assert!(compared > 50);
}
