//! A few seeds of what `cargo xtask fuzz` runs for hours, and everything that it ever found.

use raddle_testkit::fuzz::{Case, Check, FuzzSubject, Fuzzer, found, look};
use raddle_testkit::walk;

const SEEDS: u64 = 60;

const PLANTED_SEEDS: u64 = 40;

/// The reader and the interpreter are promised a stack of this size.
fn with_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(raddle::STACK_BYTES)
            .spawn_scoped(scope, run)
            .expect("the system gives a thread its stack lazily")
            .join()
            .expect("panics of cases are caught")
    })
}

#[test]
fn no_case_of_the_first_seeds_fails() {
    let fuzzer = Fuzzer::new(&walk::repository_root()).expect("the programs can be read");
    let failures: Vec<String> = with_large_stack(|| {
        let mut failures = Vec::new();
        for seed in 0..SEEDS {
            let round = fuzzer.round(seed);
            // The verdicts of random programs have a test of their own.
            let cases = round.cases(None).filter(|it| {
                !matches!(it.check, Check::Engines | Check::Relations | Check::Planted)
            });
            for case in cases {
                let Some(subject) = round.subject(case) else {
                    continue;
                };
                if let Some(problem) = look(case.check, seed, &subject).problem {
                    failures.push(format!("{case}: {problem}\n{}", shown(&subject)));
                }
            }
        }
        failures
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn nobody_calls_a_program_safe_with_a_bug_where_an_execution_comes_by() {
    let fuzzer = Fuzzer::new(&walk::repository_root()).expect("the programs can be read");
    let (mut planted, mut found) = (0_u64, 0_u64);
    let mut failures = Vec::new();
    with_large_stack(|| {
        for seed in 0..PLANTED_SEEDS {
            let round = fuzzer.round(seed);
            for case in round.cases(Some(Check::Planted)) {
                let Some(subject) = round.subject(case) else {
                    continue;
                };
                planted += 1;
                let looked = look(case.check, seed, &subject);
                found += u64::from(looked.is_deep);
                if let Some(problem) = looked.problem {
                    failures.push(format!("{case}: {problem}\n{}", shown(&subject)));
                }
            }
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // There may be no C compiler here to preprocess a program.
    assert!(planted > 2 * PLANTED_SEEDS, "{planted} were planted");
    // Less is found on a machine that is busy, but not nothing.
    assert!(found > planted / 2, "{found} of {planted} were found");
}

fn shown(subject: &FuzzSubject) -> String {
    match subject {
        FuzzSubject::Program(program) => raddle_driver::program_text(program),
        FuzzSubject::Text(bytes) | FuzzSubject::Trace { trace: bytes, .. } => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        FuzzSubject::Planted(planted) => raddle_driver::program_text(&planted.program),
        FuzzSubject::Threads(draft) => draft.plain_text(),
        FuzzSubject::Sequential(text) => text.clone(),
    }
}

#[test]
fn cases_follow_from_their_seed() {
    let fuzzer = Fuzzer::new(&walk::repository_root()).expect("the programs can be read");
    let text_of = |index| {
        let case = Case {
            check: Check::Texts,
            seed: 5,
            index,
        };
        match fuzzer.round(5).subject(case) {
            Some(FuzzSubject::Text(bytes)) => bytes,
            other => panic!("a text, not {other:?}"),
        }
    };
    for index in 0..20 {
        assert_eq!(text_of(index), text_of(index));
    }
    assert_ne!(text_of(1), text_of(2));
}

#[test]
fn what_was_found_once_fails_no_longer() {
    let inputs = walk::inputs(&walk::repository_root()).expect("the inputs can be read");
    for input in inputs {
        let (check, subject) = match input.program {
            Some(program) => {
                let trace = input.bytes;
                (Check::Traces, FuzzSubject::Trace { program, trace })
            }
            None if input.name.ends_with(found::DEFINITION) => {
                (Check::Definitions, FuzzSubject::Text(input.bytes))
            }
            None if input.name.ends_with(found::UNIT) => (Check::C, FuzzSubject::Text(input.bytes)),
            None if input.name.ends_with(found::SEQUENTIAL) => {
                let text = String::from_utf8_lossy(&input.bytes).into_owned();
                (Check::Real, FuzzSubject::Sequential(text))
            }
            None => (Check::Texts, FuzzSubject::Text(input.bytes)),
        };
        let looked = with_large_stack(|| look(check, 0, &subject));
        assert_eq!(looked.problem, None, "{}", input.name);
    }
}
