//! Static proofs of what single actions violate, against the truth: of random programs by enumeration, of test programs
//! by their headers.

use std::collections::BTreeMap;

use raddle_analysis::properties::{PROVABLE, doubts_of};
use raddle_generate::{Profile, Theme, generate, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_testkit::misread::Misreading;
use raddle_testkit::oracle::{MAX_STATES, enumerate};
use raddle_testkit::seeds::number_from;
use raddle_testkit::{header, run, walk};

/// What is proved of the program, under conditions or without.
fn proved(program: &Program) -> Vec<Property> {
    let Ok(doubts) = doubts_of(program) else {
        return Vec::new();
    };
    let is_proved = |it: &Property| doubts.unsupported().is_none() && doubts.of(*it).is_none();
    PROVABLE.into_iter().filter(is_proved).collect()
}

/// What the enumeration of all executions says against a proof, for which the program may be misread. An execution ends
/// with its first violation that ends executions, so no condition of a proof excuses a violation that is seen.
fn problem(program: &Program, read: &Program) -> Option<Property> {
    let proved = proved(read);
    if proved.is_empty() {
        return None;
    }
    let seen = enumerate(program, &Semantics::default(), MAX_STATES)?;
    proved.into_iter().find(|it| seen.violated.contains(it))
}

/// Compares what is proved of the programs of a profile with the truth; how often each property was proved.
fn compared(profile: &Profile) -> BTreeMap<Property, u64> {
    let first = number_from("RADDLE_SEED", 1);
    let cases = number_from("RADDLE_CASES", 3_000);
    let mut counts: BTreeMap<Property, u64> = BTreeMap::new();
    for seed in first..first + cases {
        let program = generate(seed, profile);
        for property in proved(&program) {
            *counts.entry(property).or_default() += 1;
        }
        if let Some(property) = problem(&program, &program) {
            let shrunk = shrink(&program, |it| problem(it, it) == Some(property));
            panic!(
                "seed {seed}: {property} is violated\n{}\n{:#?}",
                raddle_driver::program_text(&shrunk),
                doubts_of(&shrunk)
            );
        }
    }
    counts
}

#[test]
fn what_is_proved_of_random_programs_is_true() {
    let counts = compared(&Profile::default());
    eprintln!("random programs: {counts:?}");
    let cases = number_from("RADDLE_CASES", 3_000);
    for property in PROVABLE {
        let found = counts.get(&property).copied().unwrap_or(0);
        assert!(
            found * 20 > cases,
            "{property}: {counts:?}: the net is empty"
        );
    }
}

/// Numbers that locks protect, threads that are started in loops, and assertions of what is left in the numbers.
fn about_locks() -> Profile {
    Profile {
        themes: vec![(Theme::Kept, 1)],
        extras: Vec::new(),
        max_themes: 1,
        max_threads: 2,
        ..Profile::default()
    }
}

#[test]
fn what_locks_are_said_to_protect_is_true() {
    let counts = compared(&about_locks());
    let cases = number_from("RADDLE_CASES", 3_000);
    let found = counts.get(&Property::Assert).copied().unwrap_or(0);
    assert!(found * 10 > cases, "{counts:?}: the net is empty");
}

#[test]
fn who_misreads_values_is_found_out() {
    for misreading in Misreading::OF_VALUES {
        let is_found_out = (1..2_000).any(|seed| {
            let program = generate(seed, &Profile::default());
            let misread = misreading.of(&program);
            misread.is_some_and(|it| problem(&program, &it).is_some())
        });
        assert!(is_found_out, "{misreading:?}");
    }
}

#[test]
fn who_misreads_what_locks_protect_is_found_out() {
    let misreadings = [Misreading::Releases, Misreading::Stores];
    for misreading in misreadings {
        let is_found_out = (1..1_000).any(|seed| {
            let program = generate(seed, &about_locks());
            let misread = misreading.of(&program);
            misread.is_some_and(|it| problem(&program, &it).is_some())
        });
        assert!(is_found_out, "{misreading:?}");
    }
}

#[test]
fn nothing_is_proved_that_the_header_of_a_program_denies() {
    let programs = walk::programs(&walk::repository_root()).expect("tests/ holds programs");
    let mut counts: BTreeMap<Property, u64> = BTreeMap::new();
    let mut problems = Vec::new();
    for test in programs {
        // A header that is wrong fails the test of its own program.
        let Ok(header) = test.header() else {
            continue;
        };
        let program = match run::load(&test.source, &header) {
            Ok(program) => program,
            // There may be no C compiler here to preprocess it.
            Err(_) if test.needs_compiler() => continue,
            Err(problem) => panic!("{}: {problem}", test.name),
        };
        for property in proved(&program) {
            let Some(truth) = header.truth.get(&property) else {
                continue;
            };
            if header::Expected::from(*truth) == header::Expected::Unsafe {
                problems.push(format!("{}: {property}", test.name));
            }
            *counts.entry(property).or_default() += 1;
        }
    }
    eprintln!("programs: {counts:?}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
