//! Static proofs of race freedom against the truth: of random programs by enumeration, of test programs by their
//! headers.

use raddle_analysis::races::{RaceAnswer, prove};
use raddle_generate::{Profile, Theme, generate, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_testkit::misread::Misreading;
use raddle_testkit::oracle::{MAX_STATES, enumerate};
use raddle_testkit::seeds::number_from;
use raddle_testkit::{header, run, walk};

/// What was proved, in one word.
fn word(answer: &RaceAnswer) -> &'static str {
    match answer {
        RaceAnswer::Proved(_) => "proved",
        RaceAnswer::ProvedUnlessUndefined { .. } => "unless-undefined",
        RaceAnswer::Unproved(_) => "unproved",
    }
}

/// What the enumeration of all executions says against a proof, for which the program may be misread.
fn problem(program: &Program, read: &Program) -> Option<&'static str> {
    let answer = prove(read);
    if let RaceAnswer::Unproved(_) = answer {
        return None;
    }
    let seen = enumerate(program, &Semantics::default(), MAX_STATES)?;
    if seen.violated.contains(&Property::Race) {
        Some("called free of races, but has one")
    } else if seen.is_cut && word(&answer) == "proved" {
        Some("called free of anything undefined, but does something")
    } else {
        None
    }
}

#[test]
fn what_is_proved_of_random_programs_is_true() {
    let first = number_from("RADDLE_SEED", 1);
    let cases = number_from("RADDLE_CASES", 3_000);
    let mut counts = std::collections::BTreeMap::new();
    for seed in first..first + cases {
        let program = generate(seed, &Profile::default());
        *counts.entry(word(&prove(&program))).or_insert(0_u64) += 1;
        if let Some(what) = problem(&program, &program) {
            let shrunk = shrink(&program, |it| problem(it, it) == Some(what));
            panic!(
                "seed {seed}: {what}\n{}\n{:#?}",
                raddle_driver::program_text(&shrunk),
                prove(&shrunk)
            );
        }
    }
    eprintln!("random programs: {counts:?}");
    for word in ["proved", "unless-undefined"] {
        let found = counts.get(word).copied().unwrap_or(0);
        assert!(found * 20 > cases, "{counts:?}: the net is empty");
    }
}

#[test]
fn who_overlooks_stores_is_found_out() {
    let is_found_out = (1..300).any(|seed| {
        let program = generate(seed, &Profile::default());
        let misread = Misreading::Stores.of(&program);
        misread.is_some_and(|it| problem(&program, &it).is_some())
    });
    assert!(is_found_out);
}

#[test]
fn who_overlooks_names_that_are_stored_is_found_out() {
    let profile = Profile {
        themes: vec![(Theme::Children, 1)],
        ..Profile::default()
    };
    let is_found_out = (1..300).any(|seed| {
        let program = generate(seed, &profile);
        let misread = Misreading::Names.of(&program);
        misread.is_some_and(|it| problem(&program, &it).is_some())
    });
    assert!(is_found_out);
}

/// A comment `// static: WORD` in a program says what is expected of the proof.
fn expected(source: &str) -> Option<&str> {
    source
        .lines()
        .find_map(|line| line.strip_prefix("// static:"))
        .map(str::trim)
}

#[test]
fn test_programs_are_proved_as_they_say_and_no_racy_one_is() {
    let programs = walk::programs(&walk::repository_root()).expect("tests/ holds programs");
    let mut counts = std::collections::BTreeMap::new();
    let mut problems = Vec::new();
    for test in programs {
        // A header that is wrong fails the test of its own program.
        let Ok(header) = test.header() else {
            continue;
        };
        let Some(truth) = header.truth.get(&Property::Race) else {
            continue;
        };
        let program = match run::load(&test.source, &header) {
            Ok(program) => program,
            // There may be no C compiler here to preprocess it.
            Err(_) if test.needs_compiler() => continue,
            Err(problem) => panic!("{}: {problem}", test.name),
        };
        let answer = prove(&program);
        let said = word(&answer);
        if expected(&test.source).is_some_and(|it| it != said) {
            problems.push(format!("{}: {said}: {answer:#?}", test.name));
        }
        match header::Expected::from(*truth) {
            header::Expected::Unsafe if said != "unproved" => {
                problems.push(format!("{}: {answer:#?}", test.name));
            }
            header::Expected::Unsafe => {}
            header::Expected::Safe | header::Expected::Unknown => {
                *counts.entry(said).or_insert(0) += 1;
                eprintln!("{}: {answer:?}", test.name);
            }
        }
    }
    eprintln!("programs without races: {counts:?}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
