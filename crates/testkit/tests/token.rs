//! The token-passing engine on random small programs, against the enumeration of all executions, and with all pairs on programs
//! of `tests/`, against their headers. It may leave more unknown than others, up to a limit, but nothing that it says may be wrong.

use std::collections::BTreeMap;

use raddle_certify::Audited;
use raddle_engine::{Engine, Property, Silent, Task, Verdict};
use raddle_engine_mat::{ContextBounds, MatEngine, PairChoice};
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::decided::{self, budget};
use raddle_testkit::header::{Expected, admit};
use raddle_testkit::oracle::{enumerate, forgotten, problem};
use raddle_testkit::seeds::{are_usual, number_from};
use raddle_testkit::shares::{Programs, Shares, reason_of};
use raddle_testkit::{rare, run, walk};

/// Programs of which something wrong was once said.
const ONCE_WRONG: [u64; 4] = [5_012, 9_217, 9_249, 9_370];

/// How often the engine looks at its budget before it gives up a program.
const LOOKS: u64 = 2_000;

fn engine(pairs: PairChoice) -> MatEngine {
    MatEngine {
        pairs,
        ..MatEngine::default()
    }
}

fn decide(
    pairs: PairChoice,
    program: &Program,
    semantics: &Semantics,
    looks: u64,
) -> BTreeMap<Property, Verdict> {
    answered(engine(pairs), program, semantics, looks)
}

fn answered(
    mut engine: MatEngine,
    program: &Program,
    semantics: &Semantics,
    looks: u64,
) -> BTreeMap<Property, Verdict> {
    let task = Task::new(program, semantics.clone());
    raddle_engine::decide(&mut engine, &task, &budget(looks), &mut Silent).verdicts
}

#[test]
fn no_verdict_is_against_the_enumeration_of_all_executions() {
    let semantics = Semantics {
        properties: vec![Property::Assert, Property::Race],
        ..Semantics::default()
    };
    let first = number_from("RADDLE_SEED", 1);
    let mut failures = Vec::new();
    let mut shares = Shares::default();
    let seeds = first..first + number_from("RADDLE_CASES", 60);
    for seed in seeds.chain(ONCE_WRONG) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, 3_000) else {
            continue;
        };
        for pairs in PairChoice::ALL {
            let task = Task::new(&program, semantics.clone());
            let mut engine = engine(pairs);
            let answer = raddle_engine::decide(&mut engine, &task, &budget(LOOKS), &mut Silent);
            for (property, verdict) in answer.verdicts {
                if let Some(why) = forgotten(&seen, property, &verdict, &answer.conditions) {
                    failures.push(format!("seed {seed} {property}: {why}"));
                }
                let who = format!("seed {seed} {} {property}", pairs.name());
                if let Some(problem) = problem(&seen, property, &verdict) {
                    let text = raddle_ir::print::print(&program);
                    failures.push(format!("{who}: {problem} {verdict:?}\n{text}"));
                }
                if let Err(rejected) = Audited::new(&program, &semantics, property, verdict.clone())
                {
                    failures.push(format!("{who}: {rejected}"));
                }
                let engine = match pairs {
                    PairChoice::Mats => "token",
                    PairChoice::All => "token with all pairs",
                };
                let program = format!("seed {seed}");
                let reason = reason_of(&verdict);
                shares.add(engine, (&program, property), reason.as_deref(), true);
            }
        }
    }
    println!("{}", shares.describe());
    if are_usual() {
        failures.extend(shares.problems(Programs::Generated));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Who leaves out executions says nothing of them, and of the others nothing wrong.
#[test]
fn with_bounded_contexts_nothing_is_safe_and_no_violation_is_made_up() {
    let semantics = Semantics {
        properties: vec![Property::Assert, Property::Race],
        ..Semantics::default()
    };
    let first = number_from("RADDLE_SEED", 1);
    let (mut failures, mut found) = (Vec::new(), 0);
    for seed in first..first + number_from("RADDLE_CASES", 60) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, 3_000) else {
            continue;
        };
        for most in 0..=2 {
            let engine = MatEngine {
                context_bounds: ContextBounds {
                    all: Some(most),
                    ..ContextBounds::default()
                },
                ..MatEngine::default()
            };
            for (property, verdict) in answered(engine, &program, &semantics, LOOKS) {
                let is_made_up = problem(&seen, property, &verdict).is_some();
                if is_made_up || matches!(verdict, Verdict::Safe(_)) {
                    failures.push(format!("seed {seed} {most} {property}: {verdict:?}"));
                }
                found += u32::from(matches!(verdict, Verdict::Unsafe(_)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(found > 0, "some violations need few contexts");
}

#[test]
fn what_few_executions_show_is_not_missed() {
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let first = number_from("RADDLE_SEED", 1);
    let engines = || -> Vec<Box<dyn Engine>> {
        let all = PairChoice::ALL.into_iter();
        all.map(|it| Box::new(engine(it)) as Box<dyn Engine>)
            .collect()
    };
    let mut failures = Vec::new();
    let seeds = first..first + number_from("RADDLE_CASES", 15);
    for seed in seeds.chain(ONCE_WRONG) {
        let program = generate(seed, &Profile::default());
        let missed = rare::missed_by(engines, &program, &semantics, (300, 1));
        failures.extend(missed.into_iter().map(|it| format!("seed {seed}: {it}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// With the pairs that are usual the net `decided` does this.
#[test]
fn no_verdict_with_all_pairs_is_against_the_header_of_a_program() {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let wanted = std::env::var("RADDLE_PROGRAM").unwrap_or_default();
    let mut failures = Vec::new();
    // Every third program is looked at, all of them with `RADDLE_EVERY=1` or by name.
    let every = if wanted.is_empty() {
        number_from("RADDLE_EVERY", 3)
    } else {
        1
    };
    for (at, test) in (0_u64..).zip(programs) {
        if !test.name.contains(&wanted) || !at.is_multiple_of(every) {
            continue;
        }
        let header = test.header().expect("it has a header");
        let program = match run::load(&test.source, &header) {
            Ok(program) => program,
            // There may be no C compiler here to preprocess it.
            Err(_) if test.needs_compiler() => continue,
            Err(problem) => panic!("{}: {problem}", test.name),
        };
        let mut semantics = run::semantics_of(&header, test.is_c()).expect("its options are known");
        let engine = MatEngine::default();
        semantics.properties.retain(|it| engine.decides(*it));
        for (property, verdict) in decide(PairChoice::All, &program, &semantics, decided::LOOKS) {
            let said = match verdict {
                Verdict::Safe(_) => Expected::Safe,
                Verdict::Unsafe(_) => Expected::Unsafe,
                Verdict::Unknown(_) => Expected::Unknown,
            };
            let who = format!("{} {property}", test.name);
            if admit(header.truth[&property], said).is_err() {
                failures.push(format!("{who}: {verdict:?}"));
            }
            if let Err(rejected) = Audited::new(&program, &semantics, property, verdict) {
                failures.push(format!("{who}: {rejected}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
