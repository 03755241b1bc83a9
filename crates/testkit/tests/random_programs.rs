//! Random small programs: every engine and reduction against the enumeration of all executions.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run; a failure prints the seed, the shrunk program and the
//! answers side by side. `cargo xtask fuzz` does the same for as long as one likes.

use std::collections::BTreeSet;

use raddle_generate::{Kind, Profile, generate, kinds, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::oracle::{
    MAX_STATES, MAX_UNEXPLAINED_PERCENT, all_compared, all_disagreements, decide, enumerate,
};
use raddle_testkit::seeds::{are_usual, seeds};
use raddle_testkit::shares::{Programs, Shares};
use raddle_testkit::{rare, relations};

/// Runs `check` on every seed, on all cores; the failures in the order of the seeds.
fn over_seeds<T: Send>(check: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let seeds: Vec<u64> = seeds(600).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(u64, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|worker| {
                let (seeds, check) = (&seeds, &check);
                std::thread::Builder::new()
                    .stack_size(64 << 20)
                    .spawn_scoped(scope, move || {
                        seeds
                            .iter()
                            .skip(worker)
                            .step_by(workers)
                            .map(|&seed| (seed, check(seed)))
                            .collect::<Vec<_>>()
                    })
                    .expect("the system gives a thread its stack lazily")
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("a case that panics has said why"))
            .collect()
    });
    results.sort_by_key(|(seed, _)| *seed);
    results.into_iter().map(|(_, result)| result).collect()
}

struct Case {
    kinds: BTreeSet<Kind>,
    is_unsafe: bool,
    is_too_large: bool,
    /// What reductions leave unknown though nothing explains it.
    unexplained: Vec<String>,
    shares: Shares,
    failure: Option<String>,
}

fn problems(program: &Program, semantics: &Semantics) -> Vec<String> {
    enumerate(program, semantics, MAX_STATES)
        .map(|seen| all_disagreements(program, semantics, &seen))
        .unwrap_or_default()
}

#[test]
fn every_engine_agrees_with_the_enumeration_of_all_executions() {
    let semantics = Semantics::default();
    let cases = over_seeds(|seed| {
        let program = generate(seed, &Profile::default());
        let seen = enumerate(&program, &semantics, MAX_STATES);
        let compared = seen
            .as_ref()
            .map(|seen| all_compared(&program, &semantics, seen))
            .unwrap_or_default();
        let mut shares = Shares::default();
        for it in compared.answers {
            let program = format!("seed {seed}");
            let asked = (program.as_str(), it.property);
            shares.add(&it.engine, asked, it.unknown.as_deref(), true);
        }
        let found = compared.disagreements;
        let failure = (!found.is_empty()).then(|| {
            let shrunk = shrink(&program, |smaller| {
                !problems(smaller, &semantics).is_empty()
            });
            let answers: Vec<String> = raddle_driver::engines()
                .iter_mut()
                .map(|it| {
                    format!(
                        "{} with reduction {}: {:?}",
                        it.name(),
                        it.reduction(),
                        decide(it.as_mut(), &shrunk, &semantics)
                    )
                })
                .collect();
            format!(
                "seed {seed}: {found:?}\n{}\nenumeration: {:?}\n{}",
                raddle_ir::print::print(&shrunk),
                enumerate(&shrunk, &semantics, MAX_STATES),
                answers.join("\n"),
            )
        });
        Case {
            kinds: kinds(&program),
            is_unsafe: seen.as_ref().is_some_and(|it| !it.violated.is_empty()),
            is_too_large: seen.is_none(),
            unexplained: compared
                .unexplained
                .into_iter()
                .map(|it| format!("seed {seed}: {it}"))
                .collect(),
            shares,
            failure,
        }
    });
    println!("seeds {:?}", seeds(600));
    let failures: Vec<&str> = cases
        .iter()
        .filter_map(|it| it.failure.as_deref())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let share = |count: usize| 100 * count / cases.len();
    let too_large = cases.iter().filter(|it| it.is_too_large).count();
    assert!(
        share(too_large) <= 5,
        "{too_large} of {} programs are too large",
        cases.len()
    );
    let unexplained: Vec<&[String]> = cases
        .iter()
        .map(|it| it.unexplained.as_slice())
        .filter(|it| !it.is_empty())
        .collect();
    println!(
        "{} programs with something unknown for no reason in sight",
        unexplained.len()
    );
    assert!(
        100 * unexplained.len() <= MAX_UNEXPLAINED_PERCENT * cases.len(),
        "reductions leave something unknown for no reason in sight in {} of {} programs:\n{}",
        unexplained.len(),
        cases.len(),
        unexplained.concat().join("\n")
    );
    let mut shares = Shares::default();
    for case in &cases {
        shares.extend(case.shares.clone());
    }
    println!("{}", shares.describe());
    let too_much = shares.problems(Programs::Generated);
    assert!(
        !are_usual() || too_much.is_empty(),
        "{}",
        too_much.join("\n")
    );
    let violating = cases.iter().filter(|it| it.is_unsafe).count();
    assert!(
        share(violating) >= 30,
        "only {violating} of {} programs violate something",
        cases.len()
    );
    if cases.len() >= 500 {
        for kind in Kind::all() {
            let count = cases.iter().filter(|it| it.kinds.contains(&kind)).count();
            assert!(
                200 * count >= 3 * cases.len(),
                "{kind:?} is in only {count} of {} programs",
                cases.len()
            );
        }
    }
}

/// What needs the most switches to be seen is denied: every reduction has to keep it.
#[test]
fn no_engine_misses_what_few_executions_show() {
    let semantics = Semantics::default();
    let failures: Vec<String> = over_seeds(|seed| {
        let program = generate(seed, &Profile::default());
        let missed = if seed % 2 == 0 {
            rare::missed(&program, &semantics, 500, 2)
        } else {
            Vec::new()
        };
        missed
            .into_iter()
            .map(move |it| format!("seed {seed}: {it}"))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// A thread that does nothing, and a step that does nothing, change no verdict.
#[test]
fn idle_threads_and_skips_change_no_verdict() {
    let semantics = Semantics::default();
    let failures: Vec<String> = over_seeds(|seed| {
        let program = generate(seed, &Profile::default());
        let is_asked = seed % 4 == 0 && enumerate(&program, &semantics, 5_000).is_some();
        raddle_driver::engines()
            .iter_mut()
            .filter(|_| is_asked)
            .find_map(|it| relations::broken(it.as_mut(), &program, &semantics, seed))
            .map(|it| format!("seed {seed}: {it}\n{}", raddle_ir::print::print(&program)))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
