//! The two ways to infer what protects what, and the two ways to cut cycles, say the same on random programs.

use raddle_engine::{Answer, Budget, Reduction, Silent, Task, Verdict};
use raddle_engine_explicit::{Cut, ExplicitEngine, Inference};
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::oracle::{compared, enumerate};
use raddle_testkit::seeds::seeds;

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 4_000;

fn decide(mut engine: ExplicitEngine, program: &Program, semantics: &Semantics) -> Answer {
    let task = Task::new(program, semantics.clone());
    raddle_engine::decide(&mut engine, &task, &Budget::unlimited(), &mut Silent)
}

/// What can be compared: which property is violated is the same, the execution that shows it need not be.
fn words(answer: &Answer) -> Vec<String> {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Safe(_) => "safe".to_owned(),
        Verdict::Unsafe(_) => "unsafe".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
    };
    let verdicts = answer.verdicts.iter();
    verdicts
        .map(|(property, verdict)| format!("{property} {}", word(verdict)))
        .collect()
}

#[test]
fn to_restart_and_to_explore_again_agree() {
    let semantics = Semantics::default();
    for seed in seeds(300) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
            continue;
        };
        for reduction in [Reduction::Phase, Reduction::Optimistic] {
            let again = ExplicitEngine::new(reduction);
            let mut restart = ExplicitEngine {
                inference: Inference::Restart,
                ..again.clone()
            };
            let found = compared(&mut restart, &program, &semantics, &seen);
            assert_eq!(found.disagreements, [""; 0], "seed {seed}, {reduction}");
            assert_eq!(
                words(&decide(again, &program, &semantics)),
                words(&decide(restart, &program, &semantics)),
                "seed {seed}, {reduction}\n{}",
                raddle_ir::print::print(&program)
            );
        }
    }
}

#[test]
fn both_ways_to_cut_cycles_agree_and_the_default_stores_fewer_states() {
    let semantics = Semantics::default();
    let mut every_states = 0;
    let mut closed_states = 0;
    for seed in seeds(300) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
            continue;
        };
        let closed = ExplicitEngine::new(Reduction::Phase);
        let mut every = ExplicitEngine {
            cut: Cut::Every,
            ..closed.clone()
        };
        let found = compared(&mut every, &program, &semantics, &seen);
        assert_eq!(found.disagreements, [""; 0], "seed {seed}");
        let (closed, every) = (
            decide(closed, &program, &semantics),
            decide(every, &program, &semantics),
        );
        assert_eq!(
            words(&closed),
            words(&every),
            "seed {seed}\n{}",
            raddle_ir::print::print(&program)
        );
        closed_states += closed.counters["states"];
        every_states += every.counters["states"];
    }
    println!("{closed_states} states with closed components cut, {every_states} with every cycle");
    assert!(closed_states <= every_states);
}
