//! What a caller may ask of a run.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use raddle_engine::{EngineId, Reduction};
use raddle_engine_explicit::Races;
use raddle_engine_mat::{ContextBounds, PairChoice};
use raddle_engine_sample::StrategyName;
use raddle_engine_wpds::patterns::PatternSet;
use raddle_front_c::{Beginning, Surroundings};
use raddle_ir::DataModel;
use raddle_ir::interpret::{Property, Semantics};
use raddle_witness::{COptionsData, ProjectData};

use crate::{DefaultSets, Language};

/// Preprocesses C unless the caller names another one.
pub(crate) const DEFAULT_COMPILER: &str = "cc";

/// Tried to cut a violation to its core, unless the caller says otherwise.
const DEFAULT_MINIMISING_REPLAYS: usize = 1_000;

/// How to check a program. The default decides most programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct Options {
    /// `None`: all that apply, except `leak` and `overflow`.
    pub properties: Option<Vec<Property>>,
    /// `None`: as long as it takes.
    pub timeout: Option<Duration>,
    /// Resident memory of the whole process, in bytes. `None`: no limit.
    pub memory_limit: Option<u64>,
    /// Workers; `None`: one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// Threads of the program at a time; reaching more makes the verdict unknown.
    pub max_threads: usize,
    /// Whether a wait on a condition variable may end without a signal.
    pub has_spurious_wakeups: bool,
    /// Whether new memory may lie where freed memory lay that somebody still points to.
    pub has_recycling: bool,
    /// `None`: what the program says, or else LP64. A program that says another one is refused.
    pub data_model: Option<DataModel>,
    /// Atomic sets, and units of work if the program marks none, besides those that it declares; `atomic-sets` is then
    /// decided whatever else is asked for.
    pub atomic_sets: Option<DefaultSets>,
    /// The patterns that are looked for to decide `atomic-sets`; `None`: all.
    pub patterns: Option<PatternSet>,
    /// Between which accesses the engine `token` passes the token; `None`: those that some interleaving needs.
    pub pairs: Option<PairChoice>,
    /// How often threads receive the token of the engine `token`.
    pub context_bounds: ContextBounds,
    /// Files of automata that must accept no execution; `atomic-sets` is then decided whatever else is asked
    /// for, and says so of them too.
    pub automata: Vec<PathBuf>,
    pub engine: EngineChoice,
    /// `None`: for each property the best one that keeps it.
    pub reduction: Option<Reduction>,
    /// The violations shown are those with the fewest switches of thread, which takes an engine that counts them.
    pub wants_shortest: bool,
    /// So many executions may be tried to cut each violation that is shown to its core.
    pub minimising_replays: usize,
    pub explicit: ExplicitOptions,
    pub sample: SampleOptions,
    pub seed: u64,
    /// The caller is told the last question to the solver, which takes an engine that asks one.
    pub keeps_question: bool,
    /// The report tells where the time went.
    pub measures: bool,
    /// Proofs without search need not exclude that something undefined happens.
    pub assume_defined: bool,
    /// What is safe only as long as nothing ends executions is unknown.
    pub is_strict: bool,
    /// `None`: by the ending of the file's name.
    pub language: Option<Language>,
    pub c: COptions,
}

/// How the engine `explicit` searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitOptions {
    /// States that differ only in names of threads and objects count as one.
    pub symmetry: bool,
    /// Of states that were explored only a hash is kept.
    pub hash_compact: bool,
    /// The folder where searches leave what it takes to go on later, and from where they do; it is one run's. When the run
    /// has come to its end, what they left is removed.
    pub checkpoint: Option<PathBuf>,
    /// How often they do.
    pub checkpoint_every: Duration,
    /// Which races are told.
    pub races: Races,
    /// Executions with the fewest preemptions first, and only those with at most so many.
    pub preemptions: Option<usize>,
}

impl Default for ExplicitOptions {
    fn default() -> Self {
        Self {
            symmetry: false,
            hash_compact: false,
            checkpoint: None,
            checkpoint_every: Duration::from_secs(30),
            races: Races::default(),
            preemptions: None,
        }
    }
}

/// How the engine `sample` chooses executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleOptions {
    /// `None`: all strategies in turn.
    pub strategy: Option<StrategyName>,
    /// `None`: until they bring nothing new, or without a limit of time for ever.
    pub schedules: Option<u64>,
}

/// How programs in C are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct COptions {
    /// What preprocesses, with its first arguments; empty: `cc`.
    pub compiler: Vec<String>,
    /// Where to look for headers.
    pub include_folders: Vec<String>,
    /// As in `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Names that are not defined, whoever defines them.
    pub undefines: Vec<String>,
    /// Files to read before the program's own.
    pub includes: Vec<String>,
    /// As in `c11` or `gnu17`.
    pub standard: Option<String>,
    /// Other arguments of the compiler.
    pub rest: Vec<String>,
    /// `malloc` and the like may return a null pointer.
    pub malloc_may_fail: bool,
    /// Functions that nobody defines may return anything; else reaching one makes the verdict unknown.
    pub extern_havoc: bool,
    /// The size of the stack of a thread; more than that violates `memory`. `None`: 8 MiB.
    pub stack_bytes: Option<u64>,
    /// What the program is told if it asks what it runs in.
    pub surroundings: Surroundings,
    /// A new thread may run before `pthread_create` has stored its id, as POSIX allows; with glibc it does not.
    pub stores_ids_late: bool,
    /// A wait on a condition variable ends by a signal or a time-out only.
    pub has_no_spurious_wakeups: bool,
    /// An access to a volatile object of at most a word is atomic and sequentially consistent.
    pub volatile_is_atomic: bool,
    pub beginning: Beginning,
    /// The build that says which units there are and how each is compiled; `None`: the inputs are all there is.
    pub project: Option<ProjectOptions>,
    /// Parts of a build that are not read, by some components of their paths.
    pub without: Vec<String>,
}

/// A build, and the program of it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectOptions {
    /// The list of commands, or the folder where it lies.
    pub path: PathBuf,
    /// The unit where the program begins, by some components of its path.
    pub main: Option<String>,
    /// Units with tests begin, if no other is named.
    pub begins_at_tests: bool,
}

impl COptions {
    /// What a trace file keeps.
    pub(crate) fn to_data(&self) -> COptionsData {
        COptionsData {
            include_folders: self.include_folders.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            includes: self.includes.clone(),
            standard: self.standard.clone(),
            rest: self.rest.clone(),
            malloc_may_fail: self.malloc_may_fail,
            extern_havoc: self.extern_havoc,
            stack: self.stack_bytes,
            arguments: self.surroundings.arguments.clone(),
            environment: self.surroundings.environment.clone(),
            processors: self.surroundings.processors,
            leaps: self.surroundings.leaps,
            stores_ids_first: !self.stores_ids_late,
            volatile_is_atomic: self.volatile_is_atomic,
            test: match &self.beginning {
                Beginning::Main => None,
                Beginning::Test(name) => Some(name.clone()),
            },
            without: self.without.clone(),
            project: self.project.as_ref().map(|it| ProjectData {
                path: it.path.display().to_string(),
                main: it.main.clone(),
            }),
        }
    }

    /// Without the rest.
    pub(crate) fn from_data(data: &COptionsData) -> Self {
        Self {
            compiler: Vec::new(),
            include_folders: data.include_folders.clone(),
            defines: data.defines.clone(),
            undefines: data.undefines.clone(),
            includes: data.includes.clone(),
            standard: data.standard.clone(),
            rest: Vec::new(),
            malloc_may_fail: data.malloc_may_fail,
            extern_havoc: data.extern_havoc,
            stack_bytes: data.stack,
            surroundings: Surroundings {
                arguments: data.arguments.clone(),
                environment: data.environment.clone(),
                processors: data.processors,
                leaps: data.leaps,
            },
            stores_ids_late: !data.stores_ids_first,
            // A trace says for itself how waits end.
            has_no_spurious_wakeups: false,
            volatile_is_atomic: data.volatile_is_atomic,
            beginning: data.test.clone().map_or(Beginning::Main, Beginning::Test),
            // A build names compilers, which a trace must not be able to run.
            project: None,
            without: data.without.clone(),
        }
    }

    /// As the compiler is told, without the rest.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.standard.iter().map(|it| format!("-std={it}")));
        words.extend(self.include_folders.iter().map(|it| format!("-I{it}")));
        words.extend(self.defines.iter().map(|it| format!("-D{it}")));
        words.extend(self.undefines.iter().map(|it| format!("-U{it}")));
        for file in &self.includes {
            words.extend(["-include".to_owned(), only_a_file(file)]);
        }
        words
    }
}

/// A name that no compiler takes for an option, nor for a file of options: the name may come from a trace.
pub(crate) fn only_a_file(name: &str) -> String {
    if name.starts_with(['-', '@']) {
        format!("./{name}")
    } else {
        name.to_owned()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            properties: None,
            timeout: Some(Duration::from_mins(1)),
            memory_limit: None,
            jobs: None,
            max_threads: Semantics::default().max_threads,
            has_spurious_wakeups: false,
            has_recycling: true,
            data_model: None,
            atomic_sets: None,
            patterns: None,
            pairs: None,
            context_bounds: ContextBounds::default(),
            automata: Vec::new(),
            engine: EngineChoice::Auto,
            reduction: None,
            wants_shortest: false,
            minimising_replays: DEFAULT_MINIMISING_REPLAYS,
            explicit: ExplicitOptions::default(),
            sample: SampleOptions::default(),
            seed: 0,
            keeps_question: false,
            measures: false,
            assume_defined: false,
            is_strict: false,
            language: None,
            c: COptions::default(),
        }
    }
}

impl Options {
    /// Whether waits in a program end for no reason: in C they may, unless the caller says otherwise.
    pub fn wakes_spuriously(&self, is_c: bool) -> bool {
        self.has_spurious_wakeups || is_c && !self.c.has_no_spurious_wakeups
    }

    /// What executions of a model may do; those of a program in C may do more ([`Loaded::semantics`](crate::Loaded::semantics)).
    pub(crate) fn semantics(&self, properties: Vec<Property>) -> Semantics {
        Semantics {
            properties,
            max_threads: self.max_threads,
            has_spurious_wakeups: self.has_spurious_wakeups,
            has_recycling: self.has_recycling,
            ..Semantics::default()
        }
    }
}

/// Who is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The driver picks.
    #[default]
    Auto,
    One(EngineId),
}

impl EngineChoice {
    pub const ALL: [EngineChoice; 9] = [
        EngineChoice::Auto,
        EngineChoice::One(EngineId::Reference),
        EngineChoice::One(EngineId::Explicit),
        EngineChoice::One(EngineId::Bmc),
        EngineChoice::One(EngineId::Static),
        EngineChoice::One(EngineId::Pushdown),
        EngineChoice::One(EngineId::Token),
        EngineChoice::One(EngineId::Sample),
        EngineChoice::One(EngineId::Ic3),
    ];

    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::One(engine) => engine.name(),
        }
    }

    /// The reductions that it can apply.
    pub fn reductions(self) -> &'static [Reduction] {
        match self {
            EngineChoice::Auto => &Reduction::ALL,
            EngineChoice::One(engine) => engine.reductions(),
        }
    }

    /// Whether it can look for the violation with the fewest switches.
    pub fn counts_switches(self) -> bool {
        match self {
            EngineChoice::Auto => true,
            EngineChoice::One(engine) => engine.counts_switches(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_be_options_of_the_compiler() {
        let options = COptions {
            include_folders: vec!["@folder".to_owned()],
            includes: vec![
                "@options".to_owned(),
                "-fplugin=x".to_owned(),
                "a.h".to_owned(),
            ],
            ..COptions::default()
        };
        assert_eq!(
            options.words().join(" "),
            "-I@folder -include ./@options -include ./-fplugin=x -include a.h"
        );
    }
}
