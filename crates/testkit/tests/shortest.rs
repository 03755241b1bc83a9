//! The violation with the fewest switches of thread, against the search over all states and last threads.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raddle_certify::Audited;
use raddle_engine::{Budget, Counters, Events, Reduction, Task, Trace, Verdict};
use raddle_engine_explicit::{ExplicitEngine, Inference, Order};
use raddle_generate::{Profile, Random, generate, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_tasks::header::Header;
use raddle_testkit::fuzz::planted::{Kind, Original};
use raddle_testkit::oracle::{compared, decide, enumerate, is_of_order};
use raddle_testkit::seeds::seeds;
use raddle_testkit::switches::{Counted, fewest};
use raddle_testkit::{run, walk};

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 8_000;

fn shortest(reduction: Reduction) -> ExplicitEngine {
    ExplicitEngine {
        order: Order::FewestSwitches,
        ..ExplicitEngine::new(reduction)
    }
}

/// The switches of the executions that the engine shows.
fn shown(
    mut engine: ExplicitEngine,
    program: &Program,
    semantics: &Semantics,
) -> BTreeMap<Property, usize> {
    let answer = decide(&mut engine, program, semantics);
    // Who finds a deadlock at once does not look for another kind that may take fewer, and says so.
    let is_warned = answer
        .notes
        .iter()
        .any(|it| it.diagnostic.code == "shortest");
    let mut shown = BTreeMap::new();
    for (property, verdict) in answer.verdicts {
        let audited = Audited::new(program, semantics, property, verdict.clone());
        assert!(audited.is_ok(), "{property}: {audited:?}");
        if let Verdict::Unsafe(trace) = verdict {
            assert!(has_transactions_of_one_thread(&trace), "{trace:?}");
            // What nothing orders is no meeting in a state, whose ways are counted here.
            let is_counted = (property != Property::Deadlock || !is_warned) && !is_of_order(&trace);
            if is_counted {
                shown.insert(property, trace.switches());
            }
        }
    }
    shown
}

/// Spawned threads do not go on in transactions of others here.
fn has_transactions_of_one_thread(trace: &Trace) -> bool {
    let threads: Vec<_> = trace.steps.iter().map(|it| it.thread).collect();
    let mut ends = trace.transactions.clone();
    ends.push(threads.len());
    ends.windows(2).all(|pair| {
        threads[pair[0]..pair[1]]
            .windows(2)
            .all(|it| it[0] == it[1])
    })
}

/// Where the engine shows an execution that is not the shortest, with each reduction.
fn longer(program: &Program, semantics: &Semantics) -> Vec<String> {
    let Some(expected) = fewest(program, semantics, Counted::Switches, MAX_STATES) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for reduction in Reduction::ALL {
        for inference in [Inference::Again, Inference::Restart] {
            let engine = ExplicitEngine {
                inference,
                ..shortest(reduction)
            };
            for (property, switches) in shown(engine, program, semantics) {
                let least = expected.get(&property);
                if least != Some(&switches) {
                    found.push(format!(
                        "{property} with {reduction} and {inference:?}: {switches}, not {least:?}"
                    ));
                }
            }
        }
    }
    found
}

/// The two others have to run one after the other, between two statements of the slow one.
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

/// The new thread could do something that no other notices, before the one that spawned it goes on.
const SPAWNED: &str = "
var x: u8
fn work() {
    let a: u8 = 1
    a = a + 1
    x = a
}
fn main() {
    let it = spawn work()
    assert x == 1
    join it
}
";

/// What `x` is protected by turns out late, and then the short way has to be found again.
const LATE: &str = "
var m: mutex
var x: u8
var turns: u8
fn careful() {
    acquire m
    x = 1
    x = 0
    release m
}
fn careless() {
    turns = 1
    turns = 2
    turns = 3
    let seen = x
    assert seen == 0
}
fn main() {
    let first = spawn careful()
    let second = spawn careless()
    join first
    join second
}
";

/// Each of the two locks is taken where the other thread has to run in between.
const CROSSED: &str = "
var a: mutex
var b: mutex
fn one() { acquire a; acquire b; release b; release a }
fn two() { acquire b; acquire a; release a; release b }
fn main() {
    let first = spawn one()
    let second = spawn two()
    join first
    join second
}
";

fn load(text: &str) -> Program {
    run::load(text, &Header::default()).expect("it is a program")
}

#[test]
fn the_fewest_switches_of_programs_that_tempt_to_take_more() {
    let semantics = Semantics::default();
    for (text, property, switches) in [
        (OVERTAKEN, Property::Assert, 3),
        (SPAWNED, Property::Assert, 0),
        (SPAWNED, Property::Race, 1),
        (LATE, Property::Assert, 2),
        (CROSSED, Property::Deadlock, 2),
    ] {
        let program = load(text);
        let least =
            fewest(&program, &semantics, Counted::Switches, MAX_STATES).expect("it is small");
        assert_eq!(least.get(&property), Some(&switches), "{property}\n{text}");
        for reduction in Reduction::ALL {
            if reduction.is_sound_for(property) {
                let found = shown(shortest(reduction), &program, &semantics);
                assert_eq!(
                    found.get(&property),
                    Some(&switches),
                    "{property} with {reduction}\n{text}"
                );
            }
        }
        assert_eq!(longer(&program, &semantics), [""; 0], "{text}");
    }
}

/// Stops the run at the first violation.
struct Impatient(Arc<AtomicBool>);

impl Events for Impatient {
    fn progress(&mut self, _: &Counters) {}

    fn violated(&mut self, _: &Trace) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_run_that_ends_early_shows_what_it_has_and_says_that_there_may_be_a_shorter_one() {
    // It is seen before all states without a switch are done with.
    let program = load(
        "var x: u8
         thread a { x = 1; x = 2 }
         thread b { atomic { assert x == 0 } }",
    );
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let task = Task::new(&program, semantics);
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Budget::unlimited().with_cancel_flag(Arc::clone(&flag));
    let answer = raddle_engine::decide(
        &mut shortest(Reduction::Local),
        &task,
        &budget,
        &mut Impatient(flag),
    );
    let verdict = &answer.verdicts[&Property::Assert];
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let [note] = &answer.notes[..] else {
        panic!("{:?}", answer.notes)
    };
    assert_eq!(
        note.diagnostic.message,
        "a shorter counterexample of `assert` may exist: the run was stopped"
    );
    assert_eq!(
        note.diagnostic.notes,
        ["the one that was found takes 1 switch of thread"]
    );
}

#[test]
fn no_reduction_hides_an_execution_with_fewer_switches() {
    let semantics = Semantics::default();
    let mut several = 0;
    for seed in seeds(100) {
        let program = generate(seed, &Profile::default());
        let Some(expected) = fewest(&program, &semantics, Counted::Switches, MAX_STATES) else {
            continue;
        };
        several += u64::from(expected.values().any(|it| *it > 1));
        let found = longer(&program, &semantics);
        if !found.is_empty() {
            let smaller = shrink(&program, |it| !longer(it, &semantics).is_empty());
            panic!(
                "seed {seed}: {found:?}\n{}\n{:?}",
                raddle_ir::print::print(&smaller),
                longer(&smaller, &semantics)
            );
        }
    }
    println!("{several} programs with a violation that takes more than one switch");
    assert!(several > 0 || seeds(100).count() < 100);
}

/// Larger ones take too long here.
const MAX_STATES_OF_TESTS: usize = 1_500;

#[test]
fn no_reduction_hides_a_shorter_way_in_the_programs_of_the_tests() {
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
        if fewest(&program, &semantics, Counted::Switches, MAX_STATES_OF_TESTS)
            .is_some_and(|it| !it.is_empty())
        {
            compared += 1;
            assert_eq!(longer(&program, &semantics), [""; 0], "{}", test.name);
        }
    }
    println!("{compared} programs");
    assert!(compared > 50);
}

/// Planted where executions come by late, so that it takes some switches to get there.
#[test]
fn no_reduction_hides_a_shorter_way_to_what_was_planted() {
    let mut several = 0;
    for seed in seeds(100) {
        let program = generate(seed, &Profile::default());
        let mut random = Random::new(seed);
        let Some(original) = Original::new(program, Semantics::default(), seed) else {
            continue;
        };
        for kind in [Kind::Assertion, Kind::UnlockedWrite, Kind::SelfDeadlock] {
            let Some(planted) = original.plant(kind, &mut random, Duration::MAX) else {
                continue;
            };
            let Some(expected) = fewest(
                &planted.program,
                &planted.semantics,
                Counted::Switches,
                MAX_STATES,
            ) else {
                continue;
            };
            several += u64::from(expected.values().any(|it| *it > 1));
            assert_eq!(
                longer(&planted.program, &planted.semantics),
                [""; 0],
                "seed {seed}, {kind:?}\n{}",
                raddle_ir::print::print(&planted.program)
            );
        }
    }
    println!("{several} programs with something planted that takes more than one switch");
    assert!(several > 0 || seeds(100).count() < 100);
}

#[test]
fn the_order_of_the_search_changes_no_verdict() {
    let semantics = Semantics::default();
    for seed in seeds(100) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
            continue;
        };
        for reduction in Reduction::ALL {
            let mut engine = shortest(reduction);
            let found = compared(&mut engine, &program, &semantics, &seen);
            assert_eq!(
                found.disagreements,
                [""; 0],
                "seed {seed}, {reduction}\n{}",
                raddle_ir::print::print(&program)
            );
        }
    }
}
