//! The bounded engine on random small programs, against the enumeration of all executions. It may leave more unknown than
//! others, up to a limit, but nothing that it says may be wrong.

use std::collections::BTreeMap;

use raddle_base::SourceMap;
use raddle_certify::Audited;
use raddle_driver::Options;
use raddle_engine::{Budget, Property, Reduction, Silent, Task, Verdict};
use raddle_engine_bmc::BmcEngine;
use raddle_generate::{Profile, Theme, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::decided::budget;
use raddle_testkit::misread::Misreading;
use raddle_testkit::oracle::{enumerate, problem};
use raddle_testkit::rare;
use raddle_testkit::seeds::{are_usual, number_from};
use raddle_testkit::shares::{Programs, Shares, reason_of};

const REDUCTIONS: [Reduction; 6] = Reduction::ALL;

/// How often the engine looks at its budget before it gives up a program.
const LOOKS: u64 = 3_000;

fn decide(
    reduction: Reduction,
    program: &Program,
    semantics: &Semantics,
    budget: &Budget,
) -> BTreeMap<Property, Verdict> {
    let task = Task::new(program, semantics.clone());
    let answer = raddle_engine::decide(&mut BmcEngine::new(reduction), &task, budget, &mut Silent);
    answer.verdicts
}

#[test]
fn no_verdict_is_against_the_enumeration_of_all_executions() {
    let semantics = Semantics::default();
    let first = number_from("RADDLE_SEED", 1);
    let mut failures = Vec::new();
    let mut shares = Shares::default();
    for seed in first..first + number_from("RADDLE_CASES", 60) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, 3_000) else {
            continue;
        };
        for reduction in REDUCTIONS {
            for (property, verdict) in decide(reduction, &program, &semantics, &budget(LOOKS)) {
                let who = format!("seed {seed} {reduction} {property}");
                if let Some(problem) = problem(&seen, property, &verdict) {
                    let text = raddle_ir::print::print(&program);
                    failures.push(format!("{who}: {problem} {verdict:?}\n{text}"));
                }
                if let Err(rejected) = Audited::new(&program, &semantics, property, verdict.clone())
                {
                    failures.push(format!("{who}: {rejected}"));
                }
                let engine = format!("bmc.{reduction}");
                let program = format!("seed {seed}");
                let reason = reason_of(&verdict);
                shares.add(&engine, (&program, property), reason.as_deref(), true);
            }
        }
    }
    println!("{}", shares.describe());
    if are_usual() {
        failures.extend(shares.problems(Programs::Generated));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The net has no hole: one who takes every assertion to hold contradicts the enumeration.
#[test]
fn who_overlooks_assertions_is_found_out() {
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let is_found_out = (1..100).any(|seed| {
        let program = generate(seed, &Profile::default());
        let misread = Misreading::Assertions.of(&program);
        let seen = enumerate(&program, &semantics, 3_000);
        let (Some(misread), Some(seen)) = (misread, seen) else {
            return false;
        };
        decide(Reduction::Local, &misread, &semantics, &budget(LOOKS))
            .iter()
            .any(|(property, verdict)| problem(&seen, *property, verdict).is_some())
    });
    assert!(is_found_out);
}

/// One who lets a thread run before its name is stored, or stores it nowhere, contradicts the enumeration.
#[test]
fn who_stores_names_late_or_not_at_all_is_found_out() {
    let semantics = Semantics {
        properties: vec![Property::Assert, Property::Race],
        ..Semantics::default()
    };
    let profile = Profile {
        themes: vec![(Theme::Children, 1)],
        ..Profile::default()
    };
    for misreading in [Misreading::LateNames, Misreading::Names] {
        let is_found_out = (1..100).any(|seed| {
            let program = generate(seed, &profile);
            let misread = misreading.of(&program);
            let seen = enumerate(&program, &semantics, 3_000);
            let (Some(misread), Some(seen)) = (misread, seen) else {
                return false;
            };
            decide(Reduction::Local, &misread, &semantics, &budget(LOOKS))
                .iter()
                .any(|(property, verdict)| problem(&seen, *property, verdict).is_some())
        });
        assert!(is_found_out, "{misreading:?}");
    }
}

#[test]
fn what_few_executions_show_is_not_missed() {
    let semantics = Semantics::default();
    let first = number_from("RADDLE_SEED", 1);
    let mut failures = Vec::new();
    for seed in first..first + number_from("RADDLE_CASES", 15) {
        let program = generate(seed, &Profile::default());
        let engines = raddle_driver::bounded_engines;
        let missed = rare::missed_by(engines, &program, &semantics, (300, 1));
        failures.extend(missed.into_iter().map(|it| format!("seed {seed}: {it}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Finds out that two of many threads are enough.
fn crowd(main: &str) -> Program {
    let text = format!(
        "var count: u32\n\
         fn work() {{\n    let before = fetch_add(count, 1)\n    assert before == 0\n}}\n\
         fn one() {{\n    let t = spawn work()\n}}\n\
         fn main() {{\n{main}\n}}\n"
    );
    let mut sources = SourceMap::new();
    sources.add("program.rad", text);
    let loaded = raddle_driver::load(&sources, &Options::default());
    loaded.expect("it is a program").program
}

#[test]
fn what_two_threads_do_is_seen_before_there_are_too_many() {
    let programs = [
        ("without end", "loop { let t = spawn work() }"),
        ("in calls", "loop { one() }"),
        (
            "by the dozen",
            "loop {\nlet i: u32 = 0\nwhile i < 12 {\none()\ni = i + 1\n}\n}",
        ),
        (
            "a hundred",
            "let i: u32 = 0\nwhile i < 100 {\nlet t = spawn work()\ni = i + 1\n}",
        ),
    ];
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    for (name, main) in programs {
        let program = crowd(main);
        for reduction in REDUCTIONS {
            let verdicts = decide(reduction, &program, &semantics, &Budget::unlimited());
            let verdict = &verdicts[&Property::Assert];
            let is_unsafe = matches!(verdict, Verdict::Unsafe(_));
            assert!(is_unsafe, "{name} {reduction}: {verdict:?}");
        }
    }
}
