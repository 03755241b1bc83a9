//! The bounded engine on random small programs, against the enumeration of all executions, and on the programs of
//! `tests/`, against their headers. It may leave more unknown than others, but nothing that it says may be wrong.

#![expect(
    clippy::print_stdout,
    reason = "what is left unknown is worth reading, but no failure"
)]

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_base::SourceMap;
use raddle_certify::Audited;
use raddle_driver::Options;
use raddle_engine::{Budget, Property, Reason, Reduction, Silent, Task, Verdict};
use raddle_engine_bmc::BmcEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::header::{Expected, Header, admit};
use raddle_testkit::oracle::{enumerate, problem};
use raddle_testkit::seeds::number_from;
use raddle_testkit::{rare, run, walk};

const REDUCTIONS: [Reduction; 6] = Reduction::ALL;

/// Those that leave out the most, for programs that are larger: they are what a check without `--engine` uses.
const REDUCTIONS_FOR_C: [Reduction; 2] = [Reduction::Optimistic, Reduction::Dynamic];

fn decide(
    reduction: Reduction,
    program: &Program,
    semantics: &Semantics,
    time: Duration,
) -> BTreeMap<Property, Verdict> {
    let task = Task::new(program, semantics.clone());
    let budget = Budget::unlimited().with_timeout(time);
    let answer = raddle_engine::decide(&mut BmcEngine::new(reduction), &task, &budget, &mut Silent);
    answer.verdicts
}

/// How often each answer is given, for people.
#[derive(Default)]
struct Tally(BTreeMap<(String, String), u64>);

impl Tally {
    fn add(&mut self, reduction: Reduction, property: Property, verdict: &Verdict) {
        let word = match verdict {
            Verdict::Unknown(Reason::Unsupported { what, .. }) => what.clone(),
            Verdict::Unknown(reason) => reason.code().to_owned(),
            Verdict::Safe(_) | Verdict::Unsafe(_) => verdict.word().to_owned(),
        };
        let who = format!("{:8} {property}", reduction.name());
        *self.0.entry((who, word)).or_default() += 1;
    }

    fn show(&self) {
        for ((who, word), count) in &self.0 {
            println!("{who:20} {count:5} {word}");
        }
    }
}

#[test]
fn no_verdict_is_against_the_enumeration_of_all_executions() {
    let semantics = Semantics::default();
    let first = number_from("RADDLE_SEED", 1);
    let time = Duration::from_millis(number_from("RADDLE_MILLISECONDS", 100));
    let mut failures = Vec::new();
    let mut tally = Tally::default();
    for seed in first..first + number_from("RADDLE_CASES", 60) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, 3_000) else {
            continue;
        };
        for reduction in REDUCTIONS {
            for (property, verdict) in decide(reduction, &program, &semantics, time) {
                let who = format!("seed {seed} {reduction} {property}");
                if let Some(problem) = problem(&seen, property, &verdict) {
                    let text = raddle_ir::print::print(&program);
                    failures.push(format!("{who}: {problem} {verdict:?}\n{text}"));
                }
                if let Err(rejected) = Audited::new(&program, &semantics, property, verdict.clone())
                {
                    failures.push(format!("{who}: {rejected}"));
                }
                tally.add(reduction, property, &verdict);
            }
        }
    }
    tally.show();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
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

#[test]
fn no_verdict_is_against_the_header_of_a_program() {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let time = Duration::from_millis(number_from("RADDLE_MILLISECONDS", 30));
    let wanted = std::env::var("RADDLE_PROGRAM").unwrap_or_default();
    let mut failures = Vec::new();
    let mut tally = Tally::default();
    // Programs in C take most of the time: every third is looked at, all of them with `RADDLE_EVERY=1` or by name.
    let every = if wanted.is_empty() {
        number_from("RADDLE_EVERY", 3)
    } else {
        1
    };
    for (at, test) in (0_u64..).zip(programs) {
        if !test.name.contains(&wanted) || test.needs_compiler() && !at.is_multiple_of(every) {
            continue;
        }
        let header = test.header().expect("it has a header");
        let program = match run::load(&test.source, &header) {
            Ok(program) => program,
            // There may be no C compiler here to preprocess it.
            Err(_) if test.needs_compiler() => continue,
            Err(problem) => panic!("{}: {problem}", test.name),
        };
        let mut semantics = semantics_of(&header);
        semantics.has_spurious_wakeups |= test.needs_compiler();
        let reductions: &[Reduction] = if test.needs_compiler() {
            &REDUCTIONS_FOR_C
        } else {
            &REDUCTIONS
        };
        for &reduction in reductions {
            for (property, verdict) in decide(reduction, &program, &semantics, time) {
                let said = match verdict {
                    Verdict::Safe(_) => Expected::Safe,
                    Verdict::Unsafe(_) => Expected::Unsafe,
                    Verdict::Unknown(_) => Expected::Unknown,
                };
                let who = format!("{} {reduction} {property}", test.name);
                if admit(header.truth[&property], said).is_err() {
                    failures.push(format!("{who}: {verdict:?}"));
                }
                if let Err(rejected) = Audited::new(&program, &semantics, property, verdict.clone())
                {
                    failures.push(format!("{who}: {rejected}"));
                }
                tally.add(reduction, property, &verdict);
            }
        }
    }
    tally.show();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What is asked of the program, and within which limits.
fn semantics_of(header: &Header) -> Semantics {
    let options = run::options_of(header, "reference").expect("its options are known");
    Semantics {
        properties: header.truth.keys().copied().collect(),
        max_threads: options.max_threads,
        has_spurious_wakeups: options.has_spurious_wakeups,
        has_recycling: options.has_recycling,
        ..Semantics::default()
    }
}

/// Programs of which nothing may be left unknown.
const DECIDED: [&str; 23] = [
    "tests/rad/barrier/any-thread-may-be-told-apart.rad",
    "tests/rad/barrier/destroyed-by-the-first-to-leave.rad",
    "tests/rad/barrier/one-thread-too-few.rad",
    "tests/rad/barrier/two-rounds.rad",
    "tests/rad/condition/signal-wakes-only-one.rad",
    "tests/rad/functions/pointer-chooses-the-other-function.rad",
    "tests/rad/memory/exit-with-the-last-pointer.rad",
    "tests/rad/memory/last-pointer-is-overwritten.rad",
    "tests/rad/memory/list-is-freed-node-by-node.rad",
    "tests/rad/memory/pointer-is-kept-in-a-global.rad",
    "tests/rad/memory/process-ends-with-the-last-pointer.rad",
    "tests/rad/memory/published-after-it-is-written.rad",
    "tests/rad/memory/thread-ends-with-the-last-pointer.rad",
    "tests/rad/memory/two-plain-increments.rad",
    "tests/rad/monitor/notify-wakes-only-one.rad",
    "tests/rad/monitor/wait-releases-every-entry.rad",
    "tests/rad/properties/invariant-holds.rad",
    "tests/rad/properties/invariant-is-broken-for-a-moment.rad",
    "tests/rad/properties/invariant-over-owners.rad",
    "tests/rad/properties/leak-at-exit.rad",
    "tests/rad/properties/no-leak-at-exit.rad",
    "tests/rad/properties/three-philosophers.rad",
    "tests/rad/sections/lock-taken-inside.rad",
];

#[test]
fn small_programs_with_everything_in_them_are_decided() {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let mut failures = Vec::new();
    for name in DECIDED {
        let Some(test) = programs.iter().find(|it| it.name == name) else {
            failures.push(format!("{name} is not there"));
            continue;
        };
        let header = test.header().expect("it has a header");
        let program = run::load(&test.source, &header).expect("it is a program");
        let time = Duration::from_secs(20);
        for (property, verdict) in decide(Reduction::Local, &program, &semantics_of(&header), time)
        {
            let truth = Expected::from(header.truth[&property]);
            if verdict.word() != truth.word() {
                failures.push(format!("{name} {property}: {verdict:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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
            let time = Duration::from_secs(20);
            let verdicts = decide(reduction, &program, &semantics, time);
            let verdict = &verdicts[&Property::Assert];
            let is_unsafe = matches!(verdict, Verdict::Unsafe(_));
            assert!(is_unsafe, "{name} {reduction}: {verdict:?}");
        }
    }
}
