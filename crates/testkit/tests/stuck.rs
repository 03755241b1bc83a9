//! Threads that wait for ever though others run, and livelocks: what is true of the programs in `tests/rad/stuck` and
//! `tests/rad/livelock` is said by every way to search, and what cannot be decided is unknown with its reason.

use std::time::Duration;

use raddle_certify::Audited;
use raddle_engine::{
    Answer, Budget, EndlessWait, Engine, Reason, Reduction, Silent, Task, Verdict, endless_wait,
};
use raddle_engine_explicit::{ExplicitEngine, Order};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property, Semantics};
use raddle_reduce::omission::Omission;
use raddle_tasks::header::{Header, Truth};
use raddle_testkit::explore::explore;
use raddle_testkit::flaws::{Effort, Fault, catch};
use raddle_testkit::seeds::number_from;
use raddle_testkit::{run, walk};

const KEEPS_DEADLOCKS: [Reduction; 3] = [Reduction::None, Reduction::Local, Reduction::Optimistic];

/// Each program with its name and whether somebody waits for ever.
fn programs() -> Vec<(String, Program, bool)> {
    let all = walk::programs(&walk::repository_root()).expect("the tests can be read");
    let folders = ["rad/stuck/", "rad/livelock/"];
    let is_meant = |name: &str| folders.iter().any(|it| name.contains(it));
    let stuck = all.into_iter().filter(|it| is_meant(&it.name));
    let programs: Vec<_> = stuck
        .map(|it| {
            let header = it.header().expect("it has a header");
            let program = run::load(&it.source, &header).expect("it is a program");
            let is_stuck = header.truth[&Property::Deadlock] == Truth::Unsafe;
            (it.name.clone(), program, is_stuck)
        })
        .collect();
    assert!(programs.len() > 30, "{}", programs.len());
    programs
}

fn answer(engine: &mut dyn Engine, program: &Program, jobs: usize) -> Answer {
    let task = Task {
        program,
        semantics: Semantics::default(),
        seed: 0,
        jobs,
    };
    raddle_engine::decide(engine, &task, &Budget::unlimited(), &mut Silent)
}

#[test]
fn every_way_to_search_says_the_same() {
    for (name, program, is_stuck) in programs() {
        for reduction in KEEPS_DEADLOCKS {
            let plain = || ExplicitEngine::new(reduction);
            let engines = [
                (plain(), 1),
                (
                    ExplicitEngine {
                        shares_at_once: true,
                        ..plain()
                    },
                    3,
                ),
                (
                    ExplicitEngine {
                        symmetry: true,
                        ..plain()
                    },
                    1,
                ),
                (
                    ExplicitEngine {
                        order: Order::FewestSwitches,
                        ..plain()
                    },
                    1,
                ),
                (
                    // As if there were so many states that nobody remembers how they were reached.
                    ExplicitEngine {
                        most_links: 0,
                        ..plain()
                    },
                    1,
                ),
            ];
            for (number, (mut engine, jobs)) in engines.into_iter().enumerate() {
                let mut answer = answer(&mut engine, &program, jobs);
                let verdict = answer.verdicts.remove(&Property::Deadlock).expect("asked");
                let expected = if is_stuck { "unsafe" } else { "safe" };
                assert_eq!(verdict.word(), expected, "{name}, {reduction}, {number}");
                let semantics = Semantics::default();
                let audited = Audited::new(&program, &semantics, Property::Deadlock, verdict);
                assert_eq!(
                    audited.expect("it replays").verdict().word(),
                    expected,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn hashes_do_not_tell_what_comes_after_a_state() {
    for (name, program, _) in programs() {
        let mut engine = ExplicitEngine {
            hash_compact: true,
            ..ExplicitEngine::new(Reduction::Optimistic)
        };
        let answer = answer(&mut engine, &program, 1);
        let verdict = &answer.verdicts[&Property::Deadlock];
        let is_unknown = matches!(
            verdict,
            Verdict::Unknown(Reason::PossibleEndlessWait(EndlessWait::OnlyHashes))
        );
        // Who waits with a time limit only waits for nobody, and who looks at nothing or writes in each round does not
        // spin.
        let idle = [
            "timed-wait-comes-back",
            "loop-without-a-load",
            "says-that-it-waits",
        ];
        let never_waits = idle.iter().any(|it| name.contains(it)) && verdict.word() == "safe";
        assert!(is_unknown || never_waits, "{name}: {verdict:?}");
    }
}

/// No state of a program in which nobody is stuck may be taken for one in which somebody is.
#[test]
fn no_claim_is_certified_that_is_not_true() {
    for (name, program, is_stuck) in programs() {
        let mut found = false;
        let is_whole = explore(
            &program,
            10_000,
            |interpreter: &Interpreter<'_>, state, _| {
                let found_here = endless_wait(interpreter, state, &Budget::unlimited());
                found |= found_here.expect("there are few states").is_some();
            },
        );
        assert!(is_whole, "{name}");
        assert_eq!(found, is_stuck, "{name}");
    }
}

/// After the wait, two counters go round for ever.
const MANY: &str = "
semaphore s = 0
var x: u8 = 0
var y: u8 = 0
thread waiter { down s }
thread left { loop { x = x +% 1 } }
thread right { loop { y = y +% 1 } }
";

#[test]
fn whoever_looks_at_all_that_can_come_asks_for_leave() {
    let program = run::load(MANY, &Header::default()).expect("it is a program");
    let interpreter = raddle_stepper::definition(&program, Semantics::default());
    let states = interpreter.initial_states().expect("it starts");
    let mut most = 0;
    let leave = &mut |looked: usize| {
        most = looked;
        if looked > 1000 { Err(()) } else { Ok(()) }
    };
    assert_eq!(interpreter.waits_for_ever(&states[0], leave), Err(()));
    assert!(most < 1100, "{most}");
    let spent = Budget::unlimited().with_timeout(Duration::ZERO);
    let looked = endless_wait(&interpreter, &states[0], &spent);
    assert_eq!(looked.err(), Some(Reason::OutOfTime));
}

/// One spins once the other has ended, which may be after any number of rounds: the search comes to no end.
const SPINS_AFTER_ANY_ROUNDS: &str = "
var ready: u1 = 0
var x: u64 = 0
thread reader {
    loop {
        let count = atomic_load(x)
        let seen = atomic_load(ready)
        if seen == 1 { break }
    }
}
thread counter {
    loop {
        let more = any bool
        if !more { break }
        fetch_add(x, 1)
    }
}
";

/// What was found before the search was interrupted counts.
#[test]
fn a_livelock_is_found_in_a_part_of_the_states() {
    let program = run::load(SPINS_AFTER_ANY_ROUNDS, &Header::default()).expect("it is a program");
    let task = Task {
        program: &program,
        semantics: Semantics::default(),
        seed: 0,
        jobs: 1,
    };
    for reduction in KEEPS_DEADLOCKS {
        let mut engine = ExplicitEngine::new(reduction);
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
        let answer = raddle_engine::decide(&mut engine, &task, &budget, &mut Silent);
        let verdict = &answer.verdicts[&Property::Deadlock];
        assert_eq!(verdict.word(), "unsafe", "{reduction}: {verdict:?}");
    }
}

/// Programs in which threads wait for one another or spin, against bottom components of all states: the engine is right,
/// and without each part of its look it is wrong about some.
#[test]
fn random_rounds_are_decided_as_their_bottom_components_show() {
    let effort = Effort {
        first_seed: number_from("RADDLE_SEED", 1),
        seeds: number_from("RADDLE_CASES", 200),
        enough: 2,
    };
    for omission in [
        Omission::LivelocksAreLookedFor,
        Omission::EndlessWaitsAreLookedFor,
        Omission::NobodyWakesForNoReason,
        Omission::LoneWaitsAreNotPassed,
    ] {
        let caught = catch(Fault::Without(omission), effort, &|| true);
        println!("{omission:?}: {} of {}", caught.by, caught.seeds);
        assert_eq!(caught.unsound, None, "{omission:?}");
        assert!(caught.by > 0, "{omission:?}");
    }
}
