//! What the engine finds in random programs is there: traces pass the certifier, and the reference engine says unsafe too. Two runs
//! with the same seed say the same.

use raddle_certify::Audited;
use raddle_engine::{Answer, Budget, Engine, Property, Semantics, Silent, Task, Verdict, decide};
use raddle_engine_reference::ReferenceEngine;
use raddle_engine_sample::{Flaw, SampleEngine, StrategyName};
use raddle_generate::{Profile, generate};
use raddle_ir::Program;

const PROGRAMS: u64 = 200;
const DETERMINISTIC: u64 = 100;
const LOOKS: u64 = 3_000;

fn properties() -> Vec<Property> {
    let all = Property::ALL.into_iter();
    all.filter(|it| *it != Property::AtomicSets).collect()
}

fn ask(engine: &mut dyn Engine, program: &Program, seed: u64, budget: &Budget) -> Answer {
    let semantics = Semantics {
        properties: properties(),
        ..Semantics::default()
    };
    let task = Task {
        seed,
        ..Task::new(program, semantics)
    };
    decide(engine, &task, budget, &mut Silent)
}

fn sampled(program: &Program, seed: u64, strategy: StrategyName, flaw: Flaw) -> Answer {
    let mut engine = SampleEngine {
        strategy,
        flaw,
        schedules: Some(100),
        ..SampleEngine::default()
    };
    let budget = Budget::unlimited().with_looks(LOOKS);
    ask(&mut engine, program, seed, &budget)
}

/// How many violations are there and how many of them were found; or what is wrong.
fn compared(programs: u64, flaw: Flaw) -> Result<(u64, u64), String> {
    let (mut found, mut there) = (0, 0);
    for seed in 0..programs {
        let program = generate(seed, &Profile::default());
        let which = usize::try_from(seed).expect("few") % StrategyName::EXAMPLES.len();
        let answer = sampled(&program, seed, StrategyName::EXAMPLES[which], flaw);
        let budget = Budget::unlimited().with_looks(LOOKS);
        let reference = ask(&mut ReferenceEngine, &program, 0, &budget);
        for (property, verdict) in answer.verdicts {
            let word = reference.verdicts[&property].word();
            let is_found = matches!(verdict, Verdict::Unsafe(_));
            let place = format!("{property} of program {seed}");
            if matches!(verdict, Verdict::Safe(_)) {
                return Err(format!("{place} is called safe"));
            }
            if is_found {
                if word == "safe" {
                    let text = raddle_ir::print::print(&program);
                    return Err(format!("{place} is called unsafe\n{text}"));
                }
                let semantics = Semantics {
                    properties: properties(),
                    ..Semantics::default()
                };
                let _ = Audited::new(&program, &semantics, property, verdict)
                    .map_err(|it| format!("{place}: {it:?}"))?;
            }
            if word == "unsafe" {
                there += 1;
                found += u64::from(is_found);
            }
        }
    }
    Ok((found, there))
}

#[test]
fn what_is_found_is_there_with_every_strategy() {
    let (found, there) = compared(PROGRAMS, Flaw::None).unwrap();
    println!("{found} of {there} violations were found");
    assert!(there > 100, "only {there} violations");
    assert!(10 * found > 7 * there, "only {found} of {there} were found");
}

#[test]
fn a_trace_that_ends_too_early_is_noticed() {
    assert!(compared(PROGRAMS, Flaw::EarlyEnds).is_err());
}

#[test]
fn an_engine_that_never_switches_finds_less() {
    let (all, _) = compared(PROGRAMS, Flaw::None).unwrap();
    let (found, _) = compared(PROGRAMS, Flaw::NoSwitches).unwrap();
    assert!(found < all, "{found} of {all}");
}

#[test]
fn the_same_seed_runs_the_same_executions() {
    for seed in 0..DETERMINISTIC {
        let program = generate(seed, &Profile::default());
        let told = || {
            let answer = sampled(&program, seed, StrategyName::Auto, Flaw::None);
            format!("{:?} {:?}", answer.verdicts, answer.counters)
        };
        assert_eq!(told(), told(), "{seed}");
    }
}
