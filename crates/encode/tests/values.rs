//! Formulas say what the interpreter does: engines that ask them, about programs with much computing in them, against the
//! enumeration of all executions. Without reductions and with a token, so that only the translation can be wrong.

use raddle_engine::{Engine, Property, Reduction, Silent, Task};
use raddle_generate::{Profile, Theme, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::decided::budget;
use raddle_testkit::misread::Misreading;
use raddle_testkit::oracle::{enumerate, problem};
use raddle_testkit::rare::{planted, remembering};
use raddle_testkit::seeds::{number_from, seeds};

const LOOKS: u64 = 2_000;

/// Programs with more states are not looked at.
const STATES: usize = 1_000;

fn profile() -> Profile {
    let themes = [
        Theme::Arithmetic,
        Theme::Bounds,
        Theme::Wide,
        Theme::Floats,
        Theme::Nondeterminism,
        Theme::Places,
        Theme::Index,
        Theme::Heap,
        Theme::Recycling,
        Theme::Calls,
        Theme::ReadModifyWrite,
        Theme::CompareExchange,
        Theme::Counter,
    ];
    Profile {
        themes: themes.map(|it| (it, 1)).to_vec(),
        max_themes: 2,
        ..Profile::default()
    }
}

/// Who asks formulas and adds the least to them.
fn engines() -> impl Iterator<Item = Box<dyn Engine>> {
    let all = raddle_driver::bounded_engines().into_iter();
    all.filter(|it| matches!(it.name(), "bmc" | "token") && it.reduction() == Reduction::None)
}

/// What is wrong with what engines say of a program that they may misread.
fn problems(truth: &Program, read: &Program) -> Vec<String> {
    let semantics = Semantics::default();
    let Some(seen) = enumerate(truth, &semantics, 3 * STATES) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for mut engine in engines() {
        let asked = Semantics {
            properties: [Property::Assert, Property::Race, Property::Memory]
                .into_iter()
                .filter(|it| engine.decides(*it))
                .collect(),
            ..semantics.clone()
        };
        let task = Task::new(read, asked);
        let answer = raddle_engine::decide(engine.as_mut(), &task, &budget(LOOKS), &mut Silent);
        for (property, verdict) in &answer.verdicts {
            if let Some(problem) = problem(&seen, *property, verdict) {
                found.push(format!("{} {property}: {problem}", engine.name()));
            }
        }
    }
    found
}

/// A program, and the same with what is hardest to see in it denied.
fn programs(seed: u64) -> Vec<Program> {
    let program = remembering(generate(seed, &profile()));
    let mut programs = planted(&program, &Semantics::default(), STATES, 1);
    programs.push(program);
    programs
}

#[test]
fn formulas_say_what_the_interpreter_does() {
    let mut failures = Vec::new();
    for seed in seeds(60) {
        for program in programs(seed) {
            let found = problems(&program, &program);
            if !found.is_empty() {
                let text = raddle_ir::print::print(&program);
                failures.push(format!("seed {seed}: {}\n{text}", found.join("\n")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn who_misreads_values_is_found_out() {
    let most = number_from("RADDLE_CASES", 300);
    for misreading in Misreading::OF_VALUES {
        let is_found_out = (1..=most).any(|seed| {
            programs(seed).iter().any(|program| {
                let misread = misreading.of(program);
                misread.is_some_and(|it| !problems(program, &it).is_empty())
            })
        });
        assert!(is_found_out, "{misreading:?}");
    }
}
