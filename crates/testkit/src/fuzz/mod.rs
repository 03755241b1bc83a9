//! Inputs that nobody wrote: generated programs on every engine, mutated texts and traces on every reader.
//!
//! A seed makes a [`Round`] of cases, always the same ones. [`look`] runs one case: no panic, no hang, no contradiction.
//! [`shrunk`] makes a failing case small, [`found::files`] makes a test of it. `cargo xtask fuzz` is the loop around this;
//! a few seeds run with the other tests.

pub mod c_programs;
mod clock;
mod definitions;
pub mod found;
mod minimise;
mod mutate;
pub mod panics;
mod programs;
mod texts;
mod traces;

use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fmt, io};

use raddle::Language;
use raddle_generate::{Profile, Random, generate, shrink};
use raddle_ir::Program;

use crate::walk;

pub use minimise::minimise;

/// How many mutated inputs a seed makes.
const TEXTS: u32 = 48;
/// Few, because each is read with the C library.
const UNITS: u32 = 2;
const TRACES: u32 = 16;
const DEFINITIONS: u32 = 4;

/// Reading and replaying small inputs takes milliseconds.
const TOO_LONG: Duration = Duration::from_secs(10);

/// Shrinking ends after this, small enough or not.
const SHRINK_TIME: Duration = Duration::from_mins(2);

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Every engine and reduction against the enumeration of all executions.
    Engines,
    /// Every engine on changed programs with the same verdicts.
    Relations,
    /// Reading what was printed.
    RoundTrip,
    /// Mutated programs and random bytes on the reader; what is a program is printed, read back and run a little.
    Texts,
    /// Mutated C on its reader, and likewise.
    C,
    /// Mutated trace files on their reader, replayed and recorded again.
    Traces,
    /// Mutated task definitions of SV-COMP and random bytes on their reader.
    Definitions,
}

impl Check {
    pub const ALL: [Check; 7] = [
        Check::Engines,
        Check::Relations,
        Check::RoundTrip,
        Check::Texts,
        Check::C,
        Check::Traces,
        Check::Definitions,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Check::Engines => "engines",
            Check::Relations => "relations",
            Check::RoundTrip => "round-trip",
            Check::Texts => "texts",
            Check::C => "c",
            Check::Traces => "traces",
            Check::Definitions => "definitions",
        }
    }

    pub fn from_name(name: &str) -> Option<Check> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// What it means that a case [`Looked::is_deep`].
    pub fn deep(self) -> &'static str {
        match self {
            Check::Engines => "violate something",
            Check::Relations | Check::RoundTrip => "compared",
            Check::Texts | Check::C => "are programs",
            Check::Traces => "still replay",
            Check::Definitions => "define a task",
        }
    }
}

/// The name of a case: enough to repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub check: Check,
    pub seed: u64,
    pub index: u32,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.check.name(), self.seed, self.index)
    }
}

/// What a case looks at.
#[derive(Clone, Debug)]
pub enum Subject {
    Program(Program),
    Text(Vec<u8>),
    /// A trace file beside the program that it was recorded from.
    Trace {
        program: String,
        trace: Vec<u8>,
    },
}

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Looked {
    pub problem: Option<String>,
    /// The case got beyond the first hurdle, see [`Check::deep`]: a net that all cases fall short of catches nothing.
    pub is_deep: bool,
}

impl Looked {
    fn fine(is_deep: bool) -> Self {
        Self {
            problem: None,
            is_deep,
        }
    }

    fn wrong(problem: impl Into<String>) -> Self {
        Self {
            problem: Some(problem.into()),
            is_deep: true,
        }
    }
}

/// Makes the cases.
#[derive(Clone, Debug)]
pub struct Fuzzer {
    /// Texts to mutate.
    corpus: Vec<String>,
    /// Likewise, in preprocessed C.
    units: Vec<String>,
}

impl Fuzzer {
    /// With the programs of the repository to mutate.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn new(root: &Path) -> io::Result<Self> {
        let mut corpus = Vec::new();
        let mut units = Vec::new();
        for program in walk::programs(root)? {
            match Language::of_file(&program.name) {
                Some(Language::PreprocessedC) => units.push(program.source),
                // What a compiler makes of it is not the same everywhere.
                Some(Language::C) => {}
                Some(Language::Rad) | None => corpus.push(program.source),
            }
        }
        Ok(Self { corpus, units })
    }

    /// The cases of a seed.
    pub fn round(&self, seed: u64) -> Round<'_> {
        let program = generate(seed, &Profile::default());
        let text = raddle_driver::program_text(&program);
        Round {
            fuzzer: self,
            seed,
            program,
            text,
            trace: OnceCell::new(),
        }
    }
}

/// The cases of one seed.
#[derive(Debug)]
pub struct Round<'a> {
    fuzzer: &'a Fuzzer,
    seed: u64,
    program: Program,
    text: String,
    /// The trace file of the program, if it violates anything.
    trace: OnceCell<Option<String>>,
}

impl Round<'_> {
    pub fn cases(&self) -> impl Iterator<Item = Case> + use<> {
        let seed = self.seed;
        Check::ALL.into_iter().flat_map(move |check| {
            let count = match check {
                Check::Engines | Check::RoundTrip => 1,
                Check::Relations => u32::from(seed.is_multiple_of(4)),
                Check::Texts => TEXTS,
                Check::C => UNITS,
                Check::Traces => TRACES,
                Check::Definitions => DEFINITIONS,
            };
            (0..count).map(move |index| Case { check, seed, index })
        })
    }

    /// What a case looks at; `None` if the program has no trace to mutate.
    pub fn subject(&self, case: Case) -> Option<Subject> {
        // Neighbouring seeds must not make neighbouring choices.
        let mut random = Random::new(case.seed.rotate_left(20) ^ u64::from(case.index) << 8);
        random.next_number();
        match case.check {
            Check::Engines | Check::Relations | Check::RoundTrip => {
                Some(Subject::Program(self.program.clone()))
            }
            Check::Definitions => Some(Subject::Text(definitions::mutated(&mut random))),
            Check::Texts if case.index.is_multiple_of(16) => {
                Some(Subject::Text(mutate::random_bytes(&mut random)))
            }
            Check::Texts => {
                let base = if random.chance(30) {
                    &self.text
                } else {
                    random.pick(&self.fuzzer.corpus)
                };
                let other = random.pick(&self.fuzzer.corpus);
                Some(Subject::Text(mutate::mutated(&mut random, base, other)))
            }
            Check::C => {
                let base = random.pick(&self.fuzzer.units);
                let (_, other) = *random.pick(raddle_front_c::library::TEXTS);
                Some(Subject::Text(mutate::mutated(&mut random, base, other)))
            }
            Check::Traces => {
                let trace = self.trace.get_or_init(|| {
                    // If that panics, another case has found it.
                    panics::caught(|| traces::trace_of(&self.text))
                        .ok()
                        .flatten()
                });
                let trace = trace.as_ref()?;
                Some(Subject::Trace {
                    program: self.text.clone(),
                    trace: mutate::mutated(&mut random, trace, trace),
                })
            }
        }
    }
}

/// Runs a case. Panics are caught; a stack overflow or an endless loop is the caller's to notice.
pub fn look(check: Check, seed: u64, subject: &Subject) -> Looked {
    let begin = clock::time_used();
    let looked = panics::caught(|| match (check, subject) {
        (Check::Engines, Subject::Program(program)) => programs::engines(program),
        (Check::Relations, Subject::Program(program)) => programs::relations(program, seed),
        (_, Subject::Program(program)) => programs::round_trip(program),
        (Check::Definitions, Subject::Text(bytes)) => definitions::look(bytes),
        (Check::C, Subject::Text(bytes)) => texts::look_at_c(bytes),
        (_, Subject::Text(bytes)) => texts::look(bytes),
        (_, Subject::Trace { program, trace }) => traces::look(program, trace),
    })
    .unwrap_or_else(Looked::wrong);
    let elapsed = clock::time_used().saturating_sub(begin);
    let is_small = !matches!(check, Check::Engines | Check::Relations);
    if looked.problem.is_none() && is_small && elapsed > TOO_LONG {
        return Looked::wrong(format!("takes {} s", elapsed.as_secs()));
    }
    looked
}

/// The smallest subject that still fails.
pub fn shrunk(check: Check, seed: u64, subject: &Subject) -> Subject {
    let end = Instant::now() + SHRINK_TIME;
    let fails =
        |smaller: &Subject| Instant::now() < end && look(check, seed, smaller).problem.is_some();
    shrunk_by(subject, fails)
}

/// The same, by another measure of failing.
pub fn shrunk_by(subject: &Subject, mut fails: impl FnMut(&Subject) -> bool) -> Subject {
    match subject {
        Subject::Program(program) => Subject::Program(shrink(program, |smaller| {
            fails(&Subject::Program(smaller.clone()))
        })),
        Subject::Text(bytes) => Subject::Text(minimise(bytes, |smaller| {
            fails(&Subject::Text(smaller.to_vec()))
        })),
        Subject::Trace { program, trace } => Subject::Trace {
            program: program.clone(),
            trace: minimise(trace, |smaller| {
                fails(&Subject::Trace {
                    program: program.clone(),
                    trace: smaller.to_vec(),
                })
            }),
        },
    }
}
