//! Bugs planted where executions come by are found by executions alone.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_engine::{Budget, Silent, Task, Verdict};
use raddle_engine_sample::SampleEngine;
use raddle_generate::{Profile, Random, generate};
use raddle_ir::interpret::Semantics;
use raddle_testkit::fuzz::planted::{Kind, Original, Planted};
use raddle_testkit::seeds::seeds;

/// About what a run has the time for in a few seconds.
const STEPS: u64 = 2_000_000;

fn is_found(planted: &Planted) -> bool {
    let mut engine = SampleEngine {
        most_steps: STEPS,
        ..SampleEngine::default()
    };
    let task = Task::new(&planted.program, planted.semantics.clone());
    let budget = Budget::unlimited();
    let answer = raddle_engine::decide(&mut engine, &task, &budget, &mut Silent);
    let mut verdicts = answer.verdicts.values();
    verdicts.any(|it| matches!(it, Verdict::Unsafe(_)))
}

#[test]
fn nine_of_ten_planted_bugs_are_found() {
    let semantics = Semantics::default();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for seed in seeds(200) {
        let program = generate(seed, &Profile::default());
        let Some(original) = Original::new(program, semantics.clone(), seed) else {
            continue;
        };
        let index = usize::try_from(seed).unwrap_or(0) % Kind::ALL.len();
        let planted = original.plant(Kind::ALL[index], &mut Random::new(seed), Duration::MAX);
        let Some(planted) = planted else {
            continue;
        };
        let count = counts.entry(format!("{:?}", planted.kind)).or_default();
        count.1 += 1;
        count.0 += usize::from(is_found(&planted));
    }
    println!("found, of planted: {counts:?}");
    let found: usize = counts.values().map(|it| it.0).sum();
    let all: usize = counts.values().map(|it| it.1).sum();
    assert!(10 * found >= 9 * all, "{found} of {all}: {counts:?}");
    assert!(all > 100 || seeds(200).count() < 200, "only {all} planted");
}
