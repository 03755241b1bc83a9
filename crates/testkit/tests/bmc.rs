//! The bounded engine on random small programs, against the enumeration of all executions.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_certify::Audited;
use raddle_engine::{Budget, Engine, Property, Reason, Reduction, Silent, Task, Verdict};
use raddle_engine_bmc::BmcEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::interpret::Semantics;
use raddle_testkit::oracle::{enumerate, problem};

fn number_from(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn no_verdict_is_against_the_enumeration_of_all_executions() {
    let semantics = Semantics {
        properties: vec![Property::Assert, Property::Overflow, Property::LockMisuse],
        ..Semantics::default()
    };
    let first = number_from("RADDLE_SEED", 1);
    let mut failures = Vec::new();
    let mut words: BTreeMap<(String, String), u64> = BTreeMap::new();
    for seed in first..first + number_from("RADDLE_CASES", 60) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, 3_000) else {
            continue;
        };
        for reduction in [
            Reduction::None,
            Reduction::Static,
            Reduction::Phase,
            Reduction::Dynamic,
        ] {
            let mut engine = BmcEngine::new(reduction);
            let task = Task {
                program: &program,
                semantics: semantics.clone(),
                seed: 0,
                jobs: 1,
            };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
            let answer = engine.decide(&task, &budget, &mut Silent);
            for &property in &semantics.properties {
                let verdict = &answer.verdicts[&property];
                if let Some(problem) = problem(&seen, property, verdict) {
                    failures.push(format!(
                        "seed {seed} {reduction} {property}: {problem} {verdict:?}\n{}",
                        raddle_ir::print::print(&program)
                    ));
                }
                if let Err(rejected) = Audited::new(&program, &semantics, property, verdict.clone())
                {
                    failures.push(format!("seed {seed} {reduction} {property}: {rejected}"));
                }
                let word = match verdict {
                    Verdict::Unknown(Reason::Unsupported { what, .. }) => what.clone(),
                    Verdict::Unknown(reason) => reason.code().to_owned(),
                    _ => verdict.word().to_owned(),
                };
                *words.entry((reduction.to_string(), word)).or_default() += 1;
            }
        }
    }
    for ((reduction, word), count) in &words {
        println!("{reduction:8} {count:5} {word}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
