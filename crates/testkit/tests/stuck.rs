//! Threads that wait for ever though others run: what is true of the programs in `tests/rad/stuck` is said by every way to
//! search, and what cannot be decided is unknown with its reason.

use raddle_certify::Audited;
use raddle_engine::{
    Answer, Budget, EndlessWait, Engine, Reason, Reduction, Silent, Task, Verdict,
};
use raddle_engine_explicit::{ExplicitEngine, Order};
use raddle_ir::Program;
use raddle_ir::interpret::stuck::TooManyStates;
use raddle_ir::interpret::{Interpreter, Property, Semantics};
use raddle_tasks::header::{Header, Truth};
use raddle_testkit::explore::explore;
use raddle_testkit::{run, walk};

const KEEPS_DEADLOCKS: [Reduction; 3] = [Reduction::None, Reduction::Local, Reduction::Optimistic];

/// Each program with its name and whether somebody waits for ever.
fn programs() -> Vec<(String, Program, bool)> {
    let all = walk::programs(&walk::repository_root()).expect("the tests can be read");
    let stuck = all.into_iter().filter(|it| it.name.contains("rad/stuck/"));
    let programs: Vec<_> = stuck
        .map(|it| {
            let header = it.header().expect("it has a header");
            let program = run::load(&it.source, &header).expect("it is a program");
            let is_stuck = header.truth[&Property::Deadlock] == Truth::Unsafe;
            (it.name.clone(), program, is_stuck)
        })
        .collect();
    assert!(programs.len() > 10, "{}", programs.len());
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
        // Who waits with a time limit only waits for nobody.
        let never_waits = name.contains("timed-wait-comes-back") && verdict.word() == "safe";
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
                let waits = interpreter.waits_for_ever(state, 10_000);
                found |= waits.expect("there are few states").is_some();
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
fn more_states_than_may_be_looked_at_are_no_answer() {
    let program = run::load(MANY, &Header::default()).expect("it is a program");
    let interpreter = Interpreter::new(&program, Semantics::default());
    let states = interpreter.initial_states().expect("it starts");
    let looked = interpreter.waits_for_ever(&states[0], 1000);
    assert_eq!(looked.err(), Some(TooManyStates { most: 1000 }));
}
