//! What failed, as tests: files below `tests/found`.
//!
//! A program has a header with the truth that the enumeration found. Bytes that some reader chokes on end in `.input`,
//! task definitions in `.yml.input`, C in `.i.input`, programs in C that gcc understands otherwise in `.c.input`;
//! a trace file ends in `.trace.json` and lies beside its program. Other tests run all of them.

use std::fmt::Write;

use raddle_engine::{Answer, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use super::planted::Planted;
use super::{Case, Check, FuzzSubject};
use crate::oracle::{MAX_STATES, Seen, decide, enumerate, is_of_order, unexplained};

/// The folder, relative to the root of the repository.
pub const FOLDER: &str = "tests/found";

/// The ending of task definitions, so that they are not read as programs.
pub const DEFINITION: &str = ".yml.input";

/// The ending of C that its reader chokes on.
pub const UNIT: &str = ".i.input";

/// The ending of programs in C that mean something else to us than to gcc.
pub const SEQUENTIAL: &str = ".c.input";

/// A name for a kind of failure: the same defect gives the same name most of the time.
pub fn signature(problem: &str) -> String {
    let line = problem.lines().next().unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    for word in line.split(|it: char| !it.is_ascii_alphanumeric()) {
        let length: usize = words.iter().map(|it| it.len() + 1).sum();
        if length + word.len() > 60 {
            break;
        }
        if !word.is_empty() {
            words.push(word.to_ascii_lowercase());
        }
    }
    words.join("-")
}

/// The files that make a test of a failure, each with its name below [`FOLDER`].
pub fn files(case: Case, problem: &str, subject: &FuzzSubject) -> Vec<(String, Vec<u8>)> {
    let name = format!("{}-seed-{}", signature(problem), case.seed);
    match subject {
        // What is printed wrongly is a text, not a program.
        FuzzSubject::Program(program) if case.check == Check::RoundTrip => {
            let text = raddle_driver::program_text(program);
            vec![(format!("{name}.input"), text.into_bytes())]
        }
        FuzzSubject::Program(program) => {
            let text = with_header(program, case, problem);
            vec![(format!("{name}.rad"), text.into_bytes())]
        }
        FuzzSubject::Text(bytes) if case.check == Check::Definitions => {
            vec![(format!("{name}{DEFINITION}"), bytes.clone())]
        }
        FuzzSubject::Text(bytes) if case.check == Check::C => {
            vec![(format!("{name}{UNIT}"), bytes.clone())]
        }
        FuzzSubject::Text(bytes) => vec![(format!("{name}.input"), bytes.clone())],
        FuzzSubject::Trace { program, trace } => {
            let text = match raddle_driver::load(&sources(program), &raddle::Options::default()) {
                Ok(loaded) => with_header(&loaded.program, case, problem),
                Err(_) => program.clone(),
            };
            vec![
                (format!("{name}.rad"), text.into_bytes()),
                (format!("{name}.trace.json"), trace.clone()),
            ]
        }
        FuzzSubject::Planted(planted) => {
            let text = with_planted_header(planted, case, problem);
            vec![(format!("{name}.rad"), text.into_bytes())]
        }
        FuzzSubject::Threads(draft) => {
            let text = crate::real::as_test(draft, case.seed, problem);
            vec![(format!("{name}.c"), text.into_bytes())]
        }
        FuzzSubject::Sequential(text) => {
            vec![(format!("{name}{SEQUENTIAL}"), text.clone().into_bytes())]
        }
    }
}

fn sources(text: &str) -> raddle::SourceMap {
    let mut sources = raddle::SourceMap::new();
    sources.add("program.rad", text);
    sources
}

/// The program as a test: all properties that are enumerated, unknown where an engine rightly says so.
fn with_header(program: &Program, case: Case, found: &str) -> String {
    let semantics = Semantics::default();
    let mut seen = enumerate(program, &semantics, MAX_STATES).unwrap_or_default();
    let answer = answered(program, &semantics);
    if answer.as_ref().is_some_and(has_unordered_accesses) {
        seen.violated.insert(Property::Race);
    }
    let properties = || {
        Property::ALL
            .into_iter()
            .filter(|it| *it != Property::AtomicSets)
    };
    let truth: Vec<String> = properties()
        .map(|property| {
            let word = if seen.violated.contains(&property) {
                "unsafe"
            } else {
                "safe"
            };
            format!("{property}={word}")
        })
        .collect();
    let options: Vec<String> = properties().map(|it| format!("--property {it}")).collect();
    let mut text = format!("//@ truth:    {}\n", truth.join(" "));
    if let Some(line) = answer.and_then(|it| expectation(&it, &seen)) {
        let _ = writeln!(text, "//@ expect:   {line}");
    }
    let _ = writeln!(text, "//@ options:  {}", options.join(" "));
    let first = found.lines().next().unwrap_or_default();
    let cut = if seen.is_cut {
        ", as far as executions go"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        "//@ why:      seen by enumeration{cut}; found by `cargo xtask fuzz --seed {} --cases 1`: {first}",
        case.seed
    );
    text + &raddle_driver::program_text(program)
}

/// The program as a test of the one property that is surely violated.
fn with_planted_header(planted: &Planted, case: Case, found: &str) -> String {
    let property = planted.kind.property();
    let mut options = format!("--property {property}");
    if planted.semantics.max_threads != Semantics::default().max_threads {
        let _ = write!(options, " --max-threads {}", planted.semantics.max_threads);
    }
    if planted.semantics.has_spurious_wakeups {
        options.push_str(" --spurious");
    }
    if !planted.semantics.has_recycling {
        options.push_str(" --no-recycling");
    }
    let first = found.lines().next().unwrap_or_default();
    format!(
        "//@ truth:    {property}=unsafe\n//@ options:  {options}\n//@ why:      it was planted where an execution comes by; found by `cargo xtask fuzz --check planted --seed {} --cases 1`: {first}\n{}",
        case.seed,
        raddle_driver::program_text(&planted.program)
    )
}

/// What the engine that headers speak of makes of a program. It may be what fails; a test without the line is still a test.
fn answered(program: &Program, semantics: &Semantics) -> Option<Answer> {
    let mut engines = raddle_driver::engines().into_iter();
    let mut engine = engines.find(|it| it.name() == raddle_tasks::header::REFERENCE)?;
    crate::panics::caught(|| decide(engine.as_mut(), program, semantics)).ok()
}

/// Whether an execution shows accesses that nothing orders, which no state does.
fn has_unordered_accesses(answer: &Answer) -> bool {
    let race = answer.verdicts.get(&Property::Race);
    matches!(race, Some(Verdict::Unsafe(trace)) if is_of_order(trace))
}

/// What the engine leaves unknown, where that is right. Others may always prove less where no line speaks of them.
fn expectation(answer: &Answer, seen: &Seen) -> Option<String> {
    let unknown: Vec<String> = answer
        .verdicts
        .iter()
        .filter(|(property, verdict)| {
            **property != Property::AtomicSets
                && matches!(verdict, Verdict::Unknown(_))
                && unexplained(seen, **property, verdict).is_none()
        })
        .map(|(property, _)| format!("{property}=unknown"))
        .collect();
    let engine = raddle_tasks::header::REFERENCE;
    (!unknown.is_empty()).then(|| format!("{engine} {}", unknown.join(" ")))
}

#[cfg(test)]
mod tests {
    use raddle_generate::{Profile, generate};

    use super::*;
    use crate::run;
    use raddle_tasks::header;

    #[test]
    fn a_program_that_was_found_is_a_whole_test() {
        for seed in 0..20 {
            let case = Case {
                check: Check::Engines,
                seed,
                index: 0,
            };
            let subject = FuzzSubject::Program(generate(seed, &Profile::default()));
            let files = files(case, "reference: race: missed violation", &subject);
            let [(name, bytes)] = &files[..] else {
                panic!("one file: {files:?}")
            };
            assert_eq!(
                *name,
                format!("reference-race-missed-violation-seed-{seed}.rad")
            );
            let text = String::from_utf8(bytes.clone()).expect("it is text");
            let header = header::parse(&text).expect("its header is right");
            let observed = run::observe(&text, &header, "reference").expect("it is a program");
            assert_eq!(run::differences(&header, &observed), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_same_defect_has_the_same_name() {
        assert_eq!(
            signature("panics at crates/ir/src/x.rs:17: a == b\nleft: 3"),
            "panics-at-crates-ir-src-x-rs-17-a-b"
        );
    }
}
