//! Inputs that nobody wrote: generated programs on every engine, programs with planted bugs, mutated texts and traces on
//! every reader.
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
pub mod planted;
mod programs;
mod really;
mod texts;
mod traces;

use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fmt, io};

use raddle::Language;
use raddle_generate::{Profile, Random, generate, shrink};
use raddle_ir::Program;
use raddle_tasks::Task;

use crate::{real, walk};
use planted::{Kind, Original, Planted};

pub use minimise::minimise;

/// How many mutated inputs a seed makes.
const TEXTS: u32 = 48;
/// Few, because each is read with the C library.
const UNITS: u32 = 2;
const TRACES: u32 = 16;
const DEFINITIONS: u32 = 4;
/// One of each kind.
const PLANTED: u32 = 5;

/// One with threads and one without.
const REAL: u32 = 2;

/// Unless they are asked for, bugs are planted for every so manieth seed only: looking for them takes seconds.
const PLANTED_EVERY: u64 = 32;

/// How long an engine may look for what is planted, unless somebody says otherwise.
const PLANTED_TIME: Duration = Duration::from_millis(300);

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
    /// Programs of ours, or of others, with something wrong put where one of their executions comes by: no engine may
    /// call them safe.
    Planted,
    /// Programs in C against what gcc makes of them: no engine may call safe what real threads do, and what a program
    /// without threads prints is the same.
    Real,
}

impl Check {
    pub const ALL: [Check; 9] = [
        Check::Engines,
        Check::Relations,
        Check::RoundTrip,
        Check::Texts,
        Check::C,
        Check::Traces,
        Check::Definitions,
        Check::Planted,
        Check::Real,
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
            Check::Planted => "planted",
            Check::Real => "real",
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
            Check::Planted => "are found unsafe",
            Check::Real => "are found unsafe or print the same",
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
pub enum FuzzSubject {
    Program(Program),
    Text(Vec<u8>),
    /// A trace file beside the program that it was recorded from.
    Trace {
        program: String,
        trace: Vec<u8>,
    },
    Planted(Box<Planted>),
    /// A program in C with threads, and one without.
    Threads(Box<real::Draft>),
    Sequential(String),
}

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Looked {
    pub problem: Option<String>,
    /// The case got beyond the first hurdle, see [`Check::deep`]: a net that all cases fall short of catches nothing.
    pub is_deep: bool,
    /// A reduction leaves something unknown that nothing explains: no failure, unless too many do.
    pub is_unexplained: bool,
    /// The verdict, where verdicts are counted.
    pub verdict: Option<&'static str>,
}

impl Looked {
    fn fine(is_deep: bool) -> Self {
        Self {
            problem: None,
            is_deep,
            is_unexplained: false,
            verdict: None,
        }
    }

    fn wrong(problem: impl Into<String>) -> Self {
        Self {
            problem: Some(problem.into()),
            is_deep: true,
            is_unexplained: false,
            verdict: None,
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
    /// Programs to plant bugs in.
    tasks: Vec<Task>,
    /// How long an engine may look for what is planted.
    planted_time: Duration,
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
        let folders = walk::FOLDERS.map(|it| root.join(it).to_string_lossy().into_owned());
        let mut fuzzer = Self {
            corpus,
            units,
            tasks: Vec::new(),
            planted_time: PLANTED_TIME,
        }
        .plant_in(&folders)?;
        // What is found while a run goes on must not change its cases.
        let found = root.join(found::FOLDER);
        fuzzer
            .tasks
            .retain(|task| !Path::new(&task.name).starts_with(&found));
        Ok(fuzzer)
    }

    /// With other programs to plant bugs in, which folders, lists or single files name.
    ///
    /// # Errors
    ///
    /// If there are none, or they cannot be read.
    pub fn plant_in(mut self, paths: &[String]) -> io::Result<Self> {
        self.tasks = raddle_tasks::find::find(paths)?;
        if self.tasks.is_empty() {
            let paths = paths.join("`, `");
            return Err(io::Error::other(format!("there are no tasks in `{paths}`")));
        }
        // Neighbours are alike; seeds that follow one another should see different ones, and in the end all.
        let mut random = Random::new(1);
        for last in (1..self.tasks.len()).rev() {
            self.tasks.swap(random.below(last + 1), last);
        }
        Ok(self)
    }

    /// With another limit to how long an engine may look for what is planted.
    pub fn planted_time(mut self, time: Duration) -> Self {
        self.planted_time = time;
        self
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
            original: OnceCell::new(),
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
    /// The program to plant bugs in, if it can be read and begins.
    original: OnceCell<Option<Original>>,
}

impl Round<'_> {
    /// All cases, or those of one check.
    pub fn cases(&self, asked: Option<Check>) -> impl Iterator<Item = Case> + use<> {
        let seed = self.seed;
        let is_asked = move |check: &Check| asked.is_none_or(|it| it == *check);
        let checks = Check::ALL.into_iter().filter(is_asked);
        checks.flat_map(move |check| {
            let count = match check {
                Check::Engines | Check::RoundTrip => 1,
                Check::Relations => u32::from(seed.is_multiple_of(4)),
                Check::Texts => TEXTS,
                Check::C => UNITS,
                Check::Traces => TRACES,
                Check::Definitions => DEFINITIONS,
                Check::Planted if asked.is_none() && !seed.is_multiple_of(PLANTED_EVERY) => 0,
                Check::Planted => PLANTED,
                // It takes a compiler, and longer than all others.
                Check::Real if asked.is_none() => 0,
                Check::Real => REAL,
            };
            (0..count).map(move |index| Case { check, seed, index })
        })
    }

    /// What a case looks at; `None` if the program has no trace to mutate, or no place to plant something.
    pub fn subject(&self, case: Case) -> Option<FuzzSubject> {
        // Neighbouring seeds must not make neighbouring choices.
        let mut random = Random::new(case.seed.rotate_left(20) ^ u64::from(case.index) << 8);
        random.next_number();
        match case.check {
            Check::Engines | Check::Relations | Check::RoundTrip => {
                Some(FuzzSubject::Program(self.program.clone()))
            }
            Check::Definitions => Some(FuzzSubject::Text(definitions::mutated(&mut random))),
            Check::Texts if case.index.is_multiple_of(16) => {
                Some(FuzzSubject::Text(mutate::random_bytes(&mut random)))
            }
            Check::Texts => {
                let base = if random.chance(30) {
                    &self.text
                } else {
                    random.pick(&self.fuzzer.corpus)
                };
                let other = random.pick(&self.fuzzer.corpus);
                Some(FuzzSubject::Text(mutate::mutated(&mut random, base, other)))
            }
            Check::C => {
                let base = random.pick(&self.fuzzer.units);
                let (_, other) = *random.pick(raddle_front_c::library::TEXTS);
                Some(FuzzSubject::Text(mutate::mutated(&mut random, base, other)))
            }
            Check::Traces => {
                let trace = self.trace.get_or_init(|| {
                    // If that panics, another case has found it.
                    crate::panics::caught(|| traces::trace_of(&self.text))
                        .ok()
                        .flatten()
                });
                let trace = trace.as_ref()?;
                Some(FuzzSubject::Trace {
                    program: self.text.clone(),
                    trace: mutate::mutated(&mut random, trace, trace),
                })
            }
            Check::Planted => {
                let original = self.original.get_or_init(|| {
                    let index = case.seed % u64::try_from(self.fuzzer.tasks.len()).ok()?;
                    let task = &self.fuzzer.tasks[usize::try_from(index).ok()?];
                    Original::read(task, case.seed).ok()
                });
                let kind = *Kind::ALL.get(usize::try_from(case.index).ok()?)?;
                let time = self.fuzzer.planted_time;
                let planted = original.as_ref()?.plant(kind, &mut random, time)?;
                Some(FuzzSubject::Planted(Box::new(planted)))
            }
            Check::Real if case.index == 0 => {
                Some(FuzzSubject::Threads(Box::new(really::threads(case.seed))))
            }
            Check::Real => Some(FuzzSubject::Sequential(really::sequential(case.seed))),
        }
    }
}

/// Runs a case. Panics are caught; a stack overflow or an endless loop is the caller's to notice.
pub fn look(check: Check, seed: u64, subject: &FuzzSubject) -> Looked {
    let begin = clock::time_used();
    let looked = crate::panics::caught(|| match (check, subject) {
        (Check::Engines, FuzzSubject::Program(program)) => programs::engines(program),
        (Check::Relations, FuzzSubject::Program(program)) => programs::relations(program, seed),
        (_, FuzzSubject::Program(program)) => programs::round_trip(program),
        (Check::Definitions, FuzzSubject::Text(bytes)) => definitions::look(bytes),
        (Check::C, FuzzSubject::Text(bytes)) => texts::look_at_c(bytes),
        (_, FuzzSubject::Text(bytes)) => texts::look(bytes),
        (_, FuzzSubject::Trace { program, trace }) => traces::look(program, trace),
        (_, FuzzSubject::Planted(planted)) => planted::look(planted),
        (_, FuzzSubject::Threads(draft)) => really::look_at_threads(draft, seed),
        (_, FuzzSubject::Sequential(text)) => really::look_at_sequential(text),
    })
    .unwrap_or_else(Looked::wrong);
    let elapsed = clock::time_used().saturating_sub(begin);
    let is_small = !matches!(
        check,
        Check::Engines | Check::Relations | Check::Planted | Check::Real
    );
    if looked.problem.is_none() && is_small && elapsed > TOO_LONG {
        return Looked::wrong(format!("takes {} s", elapsed.as_secs()));
    }
    looked
}

/// The smallest subject that still fails.
pub fn shrunk(check: Check, seed: u64, subject: &FuzzSubject) -> FuzzSubject {
    let end = Instant::now() + SHRINK_TIME;
    // What real threads do depends on chance, and one program may be wrong in several ways: it has to stay the same one.
    let about = |problem: &str| problem.split(':').next().unwrap_or_default().to_owned();
    let first = match subject {
        FuzzSubject::Threads(_) => look(check, seed, subject).problem.map(|it| about(&it)),
        FuzzSubject::Program(_)
        | FuzzSubject::Text(_)
        | FuzzSubject::Trace { .. }
        | FuzzSubject::Planted(_)
        | FuzzSubject::Sequential(_) => None,
    };
    let fails = |smaller: &FuzzSubject| {
        Instant::now() < end
            && look(check, seed, smaller)
                .problem
                .is_some_and(|it| first.as_ref().is_none_or(|first| *first == about(&it)))
    };
    shrunk_by(subject, fails)
}

/// The same, by another measure of failing.
pub fn shrunk_by(
    subject: &FuzzSubject,
    mut fails: impl FnMut(&FuzzSubject) -> bool,
) -> FuzzSubject {
    match subject {
        FuzzSubject::Program(program) => FuzzSubject::Program(shrink(program, |smaller| {
            fails(&FuzzSubject::Program(smaller.clone()))
        })),
        FuzzSubject::Text(bytes) => FuzzSubject::Text(minimise(bytes, |smaller| {
            fails(&FuzzSubject::Text(smaller.to_vec()))
        })),
        FuzzSubject::Trace { program, trace } => FuzzSubject::Trace {
            program: program.clone(),
            trace: minimise(trace, |smaller| {
                fails(&FuzzSubject::Trace {
                    program: program.clone(),
                    trace: smaller.to_vec(),
                })
            }),
        },
        FuzzSubject::Planted(planted) => {
            let smaller = |program: Program| {
                FuzzSubject::Planted(Box::new(Planted {
                    program,
                    trace: None,
                    ..(**planted).clone()
                }))
            };
            smaller(shrink(&planted.program, |it| fails(&smaller(it.clone()))))
        }
        FuzzSubject::Threads(draft) => {
            let mut fails = |it: &real::Draft| fails(&FuzzSubject::Threads(Box::new(it.clone())));
            FuzzSubject::Threads(Box::new(real::smallest(draft, &mut fails)))
        }
        FuzzSubject::Sequential(text) => {
            let fails = |it: &str| fails(&FuzzSubject::Sequential(it.to_owned()));
            FuzzSubject::Sequential(minimise::minimise_lines(text, fails))
        }
    }
}
