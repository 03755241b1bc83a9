//! Hashes of states instead of states: the same verdicts and counts, and the chance to miss one is told.

use raddle_engine::{Answer, Budget, Proof, Reduction, Silent, Task, UpTo, Verdict};
use raddle_engine_explicit::ExplicitEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_testkit::oracle::{compared, enumerate};
use raddle_testkit::seeds::seeds;

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 4_000;

fn engine(reduction: Reduction, hash_compact: bool, symmetry: bool) -> ExplicitEngine {
    ExplicitEngine {
        hash_compact,
        symmetry,
        ..ExplicitEngine::new(reduction)
    }
}

fn answer(mut engine: ExplicitEngine, program: &Program) -> Answer {
    let task = Task::new(program, Semantics::default());
    raddle_engine::decide(&mut engine, &task, &Budget::unlimited(), &mut Silent)
}

#[test]
fn hashes_agree_with_all_executions() {
    let semantics = Semantics::default();
    let mut told = 0;
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
            continue;
        };
        for reduction in Reduction::ALL {
            let mut engine = engine(reduction, true, false);
            let found = compared(&mut engine, &program, &semantics, &seen);
            assert_eq!(found.disagreements, [""; 0], "seed {seed}, {reduction}");
        }
        let answer = answer(engine(Reduction::None, true, false), &program);
        for verdict in answer.verdicts.values() {
            if let Verdict::Safe(Proof::SearchUpTo(UpTo { names, hashes, .. })) = verdict {
                assert!(!names, "seed {seed}");
                // Less than two to the twelfth states are less than two to the 23rd pairs.
                assert!(hashes.is_some_and(|it| it >= 40), "seed {seed}: {hashes:?}");
                told += 1;
            }
        }
    }
    assert!(told > 0 || seeds(150).count() < 100);
}

#[test]
fn hashes_go_with_exchanged_names() {
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        if enumerate(&program, &Semantics::default(), MAX_STATES).is_none() {
            continue;
        }
        // Who has only hashes does not know whether somebody waits for ever.
        let words = |answer: &Answer| -> Vec<&str> {
            let verdicts = answer.verdicts.iter();
            verdicts
                .filter(|(property, _)| **property != Property::Deadlock)
                .map(|(_, verdict)| verdict.word())
                .collect()
        };
        for reduction in [Reduction::None, Reduction::Phase, Reduction::Optimistic] {
            let [with, without] =
                [true, false].map(|hashes| answer(engine(reduction, hashes, true), &program));
            assert_eq!(words(&with), words(&without), "seed {seed}, {reduction}");
        }
    }
}
