//! Bugs planted where they are reached: whoever calls the program safe then has not looked.
//!
//! A random execution of a program tells which places can be reached (`schedule`). At one of them something wrong is
//! put into a copy of the program (`kind`, `misuse`, `splice`), and the execution is repeated on the copy up to the violation,
//! so that the truth is beyond doubt: unsafe. Unknown is always allowed, safe never is.

mod kind;
mod misuse;
mod schedule;
mod splice;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use raddle::{Budget, Options, Outcome, SourceMap, Verdict};
use raddle_certify::Audited;
use raddle_driver::Input;
use raddle_engine::{EngineId, Silent, Trace};
use raddle_generate::Random;
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_tasks::Task;
use raddle_tasks::header::Header;

use super::Looked;
use crate::{oracle, run};

use kind::Ground;
pub use kind::Kind;
use schedule::Schedule;

/// What is planted and shrunk has to have no more states than this, so that its truth is known.
const MAX_STATES: usize = 20_000;

/// A program to plant something in, and an execution of it.
#[derive(Debug)]
pub struct Original {
    program: Program,
    semantics: Semantics,
    schedule: Schedule,
}

/// A program with something planted.
#[derive(Clone, Debug)]
pub struct Planted {
    pub kind: Kind,
    pub program: Program,
    /// With the one property that is violated.
    pub semantics: Semantics,
    /// How; `None` for a program that was made smaller.
    pub trace: Option<Trace>,
    /// How long an engine may take.
    pub time: Duration,
}

impl Original {
    /// Reads a task and executes it in some way.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(task: &Task, seed: u64) -> Result<Self, String> {
        let definition = task.definition.clone()?;
        let header = Header {
            options: definition.options,
            ..Header::default()
        };
        let options = run::options_of(&header, "reference")?;
        let inputs: Vec<Input> = definition
            .files
            .iter()
            .map(|file| Input::File(PathBuf::from(file)))
            .collect();
        let (program, sources) = run::load_files(&inputs, &options)?;
        let is_c = sources.files().any(|(_, file)| file.is_preprocessed());
        let semantics = Semantics {
            max_threads: options.max_threads,
            has_spurious_wakeups: options.wakes_spuriously(is_c),
            has_recycling: options.has_recycling,
            ..Semantics::default()
        };
        Self::new(program, semantics, seed).ok_or_else(|| "the program cannot begin".to_owned())
    }

    /// Executes a program in some way; `None` if it cannot begin.
    pub fn new(program: Program, semantics: Semantics, seed: u64) -> Option<Self> {
        let interpreter = raddle_stepper::definition(&program, semantics.clone());
        let schedule = Schedule::run(&interpreter, &mut Random::new(seed))?;
        Some(Self {
            program,
            semantics,
            schedule,
        })
    }

    /// Plants something; `None` if no place that is reached is fit for it.
    pub fn plant(&self, kind: Kind, random: &mut Random, time: Duration) -> Option<Planted> {
        let ground = Ground {
            program: &self.program,
            semantics: &self.semantics,
            schedule: &self.schedule,
        };
        let (program, trace) = ground.plant(kind, random)?;
        Some(Planted {
            kind,
            program,
            semantics: Semantics {
                properties: vec![kind.property()],
                ..self.semantics.clone()
            },
            trace: Some(trace),
            time,
        })
    }
}

/// Who goes on for ever with some programs gets so much time.
const BOUNDED_TIME: Duration = Duration::from_secs(1);

/// Every engine by itself, and the driver's own choice on the printed program.
pub(super) fn look(planted: &Planted) -> Looked {
    let property = planted.kind.property();
    if planted.trace.is_none() && !is_violated(planted) {
        return Looked::fine(false);
    }
    let mut answers = Vec::new();
    let engines = raddle_driver::engines().into_iter();
    for mut engine in engines.chain(raddle_driver::bounded_engines()) {
        let task = raddle_engine::Task::new(&planted.program, planted.semantics.clone());
        let time = if engine.id() == EngineId::Bmc {
            planted.time.min(BOUNDED_TIME)
        } else {
            planted.time
        };
        let budget = Budget::unlimited().with_timeout(time);
        let mut answer = raddle_engine::decide(engine.as_mut(), &task, &budget, &mut Silent);
        let name = format!("{} with reduction {}", engine.name(), engine.reduction());
        let Some(verdict) = answer.verdicts.remove(&property) else {
            return Looked::wrong(format!("{name}: {property}: no verdict"));
        };
        match Audited::new(&planted.program, &planted.semantics, property, verdict) {
            Ok(audited) => answers.push((name, audited.verdict().clone())),
            Err(rejected) => return Looked::wrong(format!("{name}: {property}: {rejected}")),
        }
    }
    match by_choice_of_the_driver(planted, property) {
        Ok(verdict) => answers.push(("auto".to_owned(), verdict)),
        Err(problem) => return Looked::wrong(problem),
    }
    judged(property, &answers)
}

/// Safe is wrong, whoever says it.
fn judged(property: Property, answers: &[(String, Verdict)]) -> Looked {
    let wrong = answers
        .iter()
        .find(|(_, verdict)| matches!(verdict, Verdict::Safe(_)));
    if let Some((name, _)) = wrong {
        return Looked::wrong(format!(
            "{name}: {property}: safe although a violation was planted"
        ));
    }
    let is_found = answers
        .iter()
        .any(|(_, verdict)| matches!(verdict, Verdict::Unsafe(_)));
    Looked {
        verdict: Some(if is_found { "unsafe" } else { "unknown" }),
        ..Looked::fine(is_found)
    }
}

/// What a user gets who checks the program as it is printed.
fn by_choice_of_the_driver(planted: &Planted, property: Property) -> Result<Verdict, String> {
    let mut sources = SourceMap::new();
    sources.add("planted.rad", raddle_driver::program_text(&planted.program));
    let options = Options {
        properties: Some(vec![property]),
        timeout: Some(planted.time),
        max_threads: planted.semantics.max_threads,
        has_spurious_wakeups: planted.semantics.has_spurious_wakeups,
        has_recycling: planted.semantics.has_recycling,
        jobs: NonZeroUsize::new(1),
        ..Options::default()
    };
    let budget = Budget::unlimited().with_timeout(planted.time);
    let report = raddle_driver::check(sources, &options, &budget, &mut Silent);
    match &report.outcome {
        Outcome::Checked(_) => report
            .verdict(property)
            .cloned()
            .ok_or_else(|| format!("auto: {property}: no verdict")),
        Outcome::InputError(_) | Outcome::Misuse(_) => Err("what is printed is refused".to_owned()),
        Outcome::InternalError(message) => Err(format!("auto: {message}")),
    }
}

/// Whether what is left of a smaller program still violates the property.
fn is_violated(planted: &Planted) -> bool {
    oracle::enumerate(&planted.program, &planted.semantics, MAX_STATES)
        .is_some_and(|seen| seen.violated.contains(&planted.kind.property()))
}

#[cfg(test)]
mod tests {
    use raddle::{Proof, Reason};

    use super::*;

    fn original(text: &str, seed: u64) -> Original {
        let program = run::load(text, &Header::default()).expect("it is a program");
        Original::new(program, Semantics::default(), seed).expect("it begins")
    }

    #[test]
    fn one_who_says_safe_is_noticed() {
        let unknown = Verdict::Unknown(Reason::NotDecidedByEngine);
        let mut answers = vec![("pessimist".to_owned(), unknown)];
        let looked = judged(Property::Race, &answers);
        assert_eq!((looked.problem, looked.verdict), (None, Some("unknown")));
        answers.push(("optimist".to_owned(), Verdict::Safe(Proof::NothingToCheck)));
        assert_eq!(
            judged(Property::Race, &answers).problem.as_deref(),
            Some("optimist: race: safe although a violation was planted")
        );
    }

    const TIME: Duration = Duration::from_secs(20);

    #[test]
    fn all_is_found_that_is_planted_in_a_small_program() {
        let text = "var x: u8\nmutex m\nthread t[2] {\n    lock m {\n        x = x + 1\n    }\n    atomic {\n        x = x + 1\n    }\n}\n";
        for seed in 0..12 {
            let original = original(text, seed);
            for kind in Kind::ALL {
                let mut random = Random::new(seed);
                let planted = original.plant(kind, &mut random, TIME);
                let planted = planted.expect("there are fit places");
                let looked = look(&planted);
                let text = raddle_driver::program_text(&planted.program);
                assert_eq!(looked.problem, None, "{text}");
                assert_eq!(looked.verdict, Some("unsafe"), "{kind:?}\n{text}");
            }
        }
    }

    /// Thirty of each, in small programs that do something with locks, threads and the heap.
    #[test]
    fn the_search_with_optimistic_finds_thirty_of_each_kind() {
        const GROUNDS: [&str; 5] = [
            "var x: u8\nmutex m\nthread t[2] {\n    lock m {\n        x = x + 1\n    }\n}\n",
            "var x: u8\nmutex m\ncondition c\nthread waiter {\n    lock m {\n        while x == 0 {\n            wait c, m\n        }\n    }\n}\nthread giver {\n    lock m {\n        x = 1\n        signal c\n    }\n}\n",
            "fn main() {\n    let a = spawn work(1)\n    let b = spawn work(2)\n    join a\n    join b\n}\nvar sum: u32\nmutex m\nfn work(n: u32) {\n    lock m {\n        sum = sum + n\n    }\n}\n",
            "semaphore s = 0\nvar cell: *u8\nthread maker {\n    let p: *u8 = alloc u8\n    *p = 1\n    cell = p\n    post s\n}\nthread user {\n    down s\n    let p = cell\n    let v = *p\n    assert v == 1\n    free p\n}\n",
            "var x: u32\nrwlock l\nthread reader[2] {\n    lock read l {\n        let v = x\n        assert v < 2\n    }\n}\nthread writer {\n    lock write l {\n        x = 1\n    }\n}\n",
        ];
        for kind in Kind::ALL {
            let mut found = 0;
            for seed in 0..60 {
                let index = usize::try_from(seed).expect("it is small") % GROUNDS.len();
                let original = original(GROUNDS[index], seed);
                let planted = original.plant(kind, &mut Random::new(seed), TIME);
                let Some(planted) = planted else { continue };
                let task = raddle_engine::Task::new(&planted.program, planted.semantics.clone());
                let mut engines = raddle_driver::engines().into_iter();
                let mut engine = engines
                    .find(|it| it.reduction() == raddle_engine::Reduction::Optimistic)
                    .expect("there is one");
                let answer = raddle_engine::decide(
                    engine.as_mut(),
                    &task,
                    &Budget::unlimited(),
                    &mut Silent,
                );
                let verdict = &answer.verdicts[&kind.property()];
                assert!(
                    matches!(verdict, Verdict::Unsafe(_)),
                    "{kind:?}, seed {seed}: {verdict:?}\n{}",
                    raddle_driver::program_text(&planted.program)
                );
                found += 1;
                if found == 30 {
                    break;
                }
            }
            assert_eq!(found, 30, "{kind:?}");
        }
    }

    #[test]
    fn what_is_planted_is_new() {
        let original = original("thread t {\n    skip\n}\n", 1);
        let semantics = Semantics::default();
        let seen = oracle::enumerate(&original.program, &semantics, 100).expect("it is small");
        assert!(seen.violated.is_empty());
        for kind in Kind::ALL {
            let planted = original.plant(kind, &mut Random::new(1), TIME);
            assert!(is_violated(&planted.expect("any place is fit")), "{kind:?}");
        }
    }
}
