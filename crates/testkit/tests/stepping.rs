//! The fast stepper against the definition: on generated programs and on all test programs, in the first states of each, the same
//! steps, the same states and the same judgements.

use raddle_generate::{Profile, generate};
use raddle_testkit::seeds::seeds;
use raddle_testkit::stepping::{SteppingFlaw, differences};
use raddle_testkit::{run, walk};

/// So many states of each program are looked at.
const STATES: usize = 40;

fn first_of_the_generated(mut seeds: std::ops::Range<u64>, flaw: SteppingFlaw) -> Option<String> {
    seeds.find_map(|seed| {
        let program = generate(seed, &Profile::default());
        differences(&program, STATES, flaw).map(|it| format!("seed {seed}: {it}"))
    })
}

#[test]
fn on_generated_programs_both_step_alike() {
    assert_eq!(first_of_the_generated(seeds(400), SteppingFlaw::None), None);
}

/// Every so-many-th test program, from one on; those that need a compiler only where there is one.
fn on_test_programs(first: usize, every: usize, flaw: SteppingFlaw) -> Vec<String> {
    let programs = walk::programs(&walk::repository_root()).expect("they can be read");
    let chosen = programs.iter().skip(first).step_by(every);
    let mut found = Vec::new();
    for program in chosen {
        let header = program.header().expect("has a header");
        let Ok(loaded) = run::load(&program.source, &header) else {
            // The test of all programs says why.
            continue;
        };
        if let Some(difference) = differences(&loaded, STATES, flaw) {
            found.push(format!("{}: {difference}", program.name));
        }
    }
    found
}

#[test]
fn on_test_programs_both_step_alike() {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<String> = std::thread::scope(|scope| {
        let run = |worker| {
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, move || {
                    on_test_programs(worker, workers, SteppingFlaw::None)
                })
                .expect("the system gives a thread its stack lazily")
        };
        let handles: Vec<_> = (0..workers).map(run).collect();
        let results = handles
            .into_iter()
            .map(|it| it.join().expect("has said why"));
        results.flatten().collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

#[test]
fn a_flaw_of_the_stepper_is_noticed() {
    for flaw in [
        SteppingFlaw::ForgetsAnEffect,
        SteppingFlaw::LooksAway,
        SteppingFlaw::RepeatsAPart,
    ] {
        let is_noticed = first_of_the_generated(1..400, flaw).is_some();
        assert!(is_noticed, "{flaw:?} is not noticed");
    }
}

const CIRCLE: &str = "//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why: there is one thread
var x: u8 = 0
thread one {
    atomic {
        let again = any u1
        while again == 1 {
            havoc again
        }
        x = 1
    }
}
";

#[test]
fn a_stepper_that_goes_round_in_circles_is_noticed() {
    let header = raddle_testkit::header::parse(CIRCLE).expect("a header");
    let program = run::load(CIRCLE, &header).expect("a program");
    assert_eq!(differences(&program, STATES, SteppingFlaw::None), None);
    let difference = differences(&program, STATES, SteppingFlaw::NothingMeets);
    assert!(difference.is_some(), "the circle has no end");
}
