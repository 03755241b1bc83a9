//! The arguments, and what they mean to the driver.

mod input;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use raddle::{
    ContextBound, ContextBounds, EngineChoice, EngineId, ExplicitOptions, Options, PairChoice,
    PatternSet, Property, Races, Reduction, SampleOptions, StrategyName,
};

pub(crate) use input::{Input, LanguageName, compiler, plain_path};

/// How many races are told unless the user says how many.
const MOST_RACES: usize = 20;

/// How much to say, and in which colours.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Terminal {
    /// Print verdicts only
    #[arg(
        short,
        long,
        global = true,
        display_order = 900,
        conflicts_with = "verbose"
    )]
    pub(crate) quiet: bool,
    /// Print counters, and every step of an interleaving
    #[arg(short, long, global = true, display_order = 901)]
    pub(crate) verbose: bool,
    /// When to use colour; `auto` is on a terminal, unless `NO_COLOR` is set
    #[arg(
        long,
        global = true,
        display_order = 902,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: When,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// What is to be decided, and what each run may spend.
#[derive(Args, Clone, Debug)]
pub(crate) struct QuestionArguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Property to decide; may be repeated [default: all that apply except `leak` and `overflow`]
    ///
    /// SV-COMP's names are understood too: `unreach-call` (assert), `no-data-race` (race),
    /// `valid-memsafety` (memory), `no-overflow` (overflow).
    #[arg(long = "property", value_name = "PROPERTY")]
    pub(crate) properties: Vec<PropertyName>,
    /// Stop after this many seconds; 0 is never
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Duration,
    /// Stop at this many megabytes of resident memory; 0 is never [default: half the machine's]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Exit status:
    0  every property is safe
    1  some property is unsafe
    2  wrong input or usage
    3  some property is unknown, none is unsafe
  101  internal error, no verdict follows

Examples:
  raddle check counter.rad
  raddle check -I include -D NDEBUG main.c worker.c
  raddle check -p build --main src/server.c --property deadlock
  raddle check --cache .raddle-cache build/server.raddle
  raddle check --property deadlock --timeout 300 philosophers.rad
  raddle check --engine explicit --reduction phase --property assert counter.rad
  raddle check --engine bmc --dump-smt question.smt2 --property assert sums.c
  raddle check --shortest --property race counter.rad
  raddle check --preemptions 2 counter.rad
  raddle check --engine sample --strategy pct:3 --schedules 1000 --seed 7 counter.rad
  raddle check --profile --engine explicit counter.rad
  raddle check --atomic-sets structs stack.c
  raddle check --automaton lost-update.txt --property atomic-sets bank.c
  raddle check --format json --trace trace.json counter.rad
  raddle check --language rad - < counter.rad

`raddle explain WORD` describes every property, verdict, reason and engine.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag on the command line"
)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// Workers [default: one for each engine, side by side]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Threads of the program at a time; if it can run more, the verdict is unknown
    #[arg(long, value_name = "N", default_value_t = Options::default().max_threads, value_parser = at_least_one)]
    pub(crate) max_threads: usize,
    /// Waits on condition variables may end without a signal, as they may in C unless `--no-spurious` says otherwise
    #[arg(long, conflicts_with = "no_spurious")]
    pub(crate) spurious: bool,
    /// New memory never lies where freed memory lay that somebody still points to
    #[arg(long)]
    pub(crate) no_recycling: bool,
    /// Take for granted that nothing undefined happens: proofs without search need not exclude it
    #[arg(long)]
    pub(crate) assume_defined: bool,
    /// What is safe only as long as no other violation ends an execution is unknown
    ///
    /// A wrong use of memory or of a lock, a look at a value that was never set and an operation without a meaning end an
    /// execution. What else is safe up to there is called so, with a clause that names what it rests on; with this option it
    /// is not.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Engine that decides
    ///
    /// With `auto`, what needs no search is proved without, then `explicit` and `bmc` search side by side, with `sample` beside
    /// them for what is shallow; the first certified answer to each property wins. `atomic-sets` is decided by `pushdown`.
    #[arg(long, default_value = "auto")]
    pub(crate) engine: EngineName,
    /// Which interleavings to leave out [default: for each property the best that misses nothing]
    ///
    /// A property that the reduction might miss a violation of is unknown. `raddle explain REDUCTION` says more.
    #[arg(long)]
    pub(crate) reduction: Option<ReductionName>,
    /// Patterns of interrupted units that decide `atomic-sets` [default: 32, all of two units]
    ///
    /// 14 are enough where a unit that writes one member of a set writes all of them.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) patterns: Option<PatternsName>,
    /// Between which accesses the engine `token` lets the token go [default: mats]
    #[arg(long)]
    pub(crate) pairs: Option<PairsName>,
    /// How often threads may receive the token of the engine `token`: `N` for all, or `NAME=L..U` for those that run `NAME`
    ///
    /// Executions with more switches are left out, so what is not violated is unknown. May be given several times.
    #[arg(long = "context-bound", value_name = "BOUND", value_parser = context_bound)]
    pub(crate) context_bounds: Vec<ContextBoundName>,
    /// How the engine `sample` chooses schedules: auto, random, pct:DEPTH, pos, preemptions:N, stalls:N, systematic:N [default: auto]
    ///
    /// `raddle explain sample` says what they are.
    #[arg(long, value_name = "STRATEGY", value_parser = strategy)]
    pub(crate) strategy: Option<StrategyName>,
    /// How many schedules the engine `sample` tries [default: until they bring nothing new]
    ///
    /// With `--timeout 0` and without a number it goes on until it is stopped, and tells every violation once.
    #[arg(long, value_name = "N")]
    pub(crate) schedules: Option<std::num::NonZeroU64>,
    /// File of automata that must accept no execution; decides `atomic-sets`; may be repeated
    ///
    /// `raddle explain automaton` shows how they are written. The engine is `pushdown`.
    #[arg(long = "automaton", value_name = "FILE")]
    pub(crate) automata: Vec<PathBuf>,
    /// Show the violations with the fewest switches of thread
    ///
    /// The search goes by the number of switches, and ends when no execution with fewer is left. It takes more time and
    /// memory than to show the first that is found.
    #[arg(long)]
    pub(crate) shortest: bool,
    /// Look only at executions with at most so many preemptions, those with fewer first
    ///
    /// A preemption is a switch from a thread that could go on. All executions with so many are examined before any with more; what
    /// is not violated in them is unknown unless there are no others, and the report tells how many preemptions that holds for.
    /// The engine is `explicit`, without a reduction.
    #[arg(long, value_name = "N")]
    pub(crate) preemptions: Option<usize>,
    /// Cut each violation that is shown to its core, with at most so many attempts; 0: show it as it was found [default: 1000]
    ///
    /// Threads that do nothing for it are left out, and steps and rounds of loops; what one thread does is moved together, and
    /// inputs become smaller. Each attempt is executed, and what is shown is replayed like any other violation. This is no search:
    /// `--shortest` finds the fewest switches of all.
    #[arg(long, value_name = "N")]
    pub(crate) minimise: Option<usize>,
    /// Tell at most so many races, each two places in the sources and each object once [default: 20]
    ///
    /// The search goes on after the first race. When everything else is decided it goes on for as long as it took until
    /// then; if a number is given, to its end. All of them are found by the engine `explicit`; others tell the first.
    #[arg(long, value_name = "N")]
    pub(crate) races: Option<NonZeroUsize>,
    /// Let one state stand for all that differ from it only in names of threads and objects
    ///
    /// For programs with many threads that do the same. `raddle explain symmetry` says when threads can be exchanged. The
    /// engine is `explicit`.
    #[arg(long)]
    pub(crate) symmetry: bool,
    /// Keep only a hash of each state that was explored, which takes about two thirds of the memory
    ///
    /// Two states may have the same hash, so that one of them is missed; a safe verdict tells how small the chance of that
    /// is. Violations are found again without, to show how they come about. The engine is `explicit`.
    #[arg(long)]
    pub(crate) hash_compact: bool,
    /// Leave in this folder what it takes to go on later, and go on from what is there
    ///
    /// For long runs: the same command goes on where the last one was stopped by a limit, a signal or the end of its process.
    /// What is left belongs to one program, its options and one build of raddle; it is removed when the run has come to its
    /// end. The engine is `explicit`.
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often that is done
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
    /// Form of the report
    #[arg(long, default_value = "human")]
    pub(crate) format: Format,
    /// Show only what this report of an earlier run does not have; it was made with `--format json`
    ///
    /// The exit status is 1 only if there is such a violation. Violations are known again by their messages and the text of
    /// their lines, which may move. Verdicts stay what they are.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the traces of violations to this file, as JSON; without a violation, an old file of that name is removed
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write the last question to the solver to this file, in SMT-LIB 2; needs `--engine bmc`
    ///
    /// All that is asserted and assumed, with the answer that was given as `:status`. If no question was asked, an old
    /// file of that name is removed.
    #[arg(long, value_name = "FILE")]
    pub(crate) dump_smt: Option<PathBuf>,
    /// Keep answers in this folder, and give them again where nothing has changed
    ///
    /// An answer belongs to the program after the preprocessor, to all options and to one build of raddle; one with an unknown
    /// verdict is not kept. That an answer is given again is said on standard error.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dump_smt", "profile", "checkpoint"])]
    pub(crate) cache: Option<PathBuf>,
    /// Seed of engines that make random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Leave times out of the report, so that equal runs print equal reports
    #[arg(long)]
    pub(crate) no_timing: bool,
    /// Tell after the verdicts where the time went
    ///
    /// Of each engine that ran, its time. Of `explicit` also the time of each kind of work, how many transactions were
    /// worked out and how many repeated, memory by structure, and the lines of the program on which most steps were worked
    /// out. With `--format json` it is the object `profile`.
    #[arg(long, conflicts_with = "no_timing")]
    pub(crate) profile: bool,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
In folders, programs are found by the ending `.rad`, or in C by their header, and task
definitions of SV-COMP by the ending `.yml`. One process decides all properties of a
program, so each of them shows its whole time.

Exit status:
    0  no verdict is wrong
    1  some verdict is wrong
    2  wrong input or usage
    3  the run was stopped, no verdict so far is wrong

Examples:
  raddle bench tests examples
  raddle bench --timeout 60 --every 10 --csv new.csv sv-benchmarks/c/ConcurrencySafety.set
  raddle bench --resume new.csv sv-benchmarks/c/ConcurrencySafety.set
  raddle bench tests -- --engine reference
  raddle bench --diff old.csv new.csv
  raddle bench --json --diff old.csv new.csv")]
pub(crate) struct Bench {
    /// Folders; lists, one path a line with `*` and `?`; programs with a header; task definitions
    #[arg(value_name = "DIR|LIST", required_unless_present = "diff")]
    pub(crate) paths: Vec<String>,
    /// Seconds for each program; 0 is no limit. A process that overstays is killed
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Duration,
    /// Megabytes for each program; 0 is no limit [default: half the machine's, shared by the jobs]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Processes at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Run only every Kth program of each folder
    #[arg(long, value_name = "K", default_value = "1")]
    pub(crate) every: NonZeroUsize,
    /// Write a row for each verdict to this file, as they come
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) csv: Option<PathBuf>,
    /// As `--csv`, but keep the rows that the file has and run only the rest
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Leave times and memory out of the report
    #[arg(long)]
    pub(crate) no_timing: bool,
    /// Compare two files that `--csv` wrote: verdicts that changed, and times
    #[arg(
        long,
        num_args = 2,
        value_names = ["A.csv", "B.csv"],
        conflicts_with_all = ["paths", "csv", "resume", "checker", "options"]
    )]
    pub(crate) diff: Vec<PathBuf>,
    /// Run this program instead of raddle itself (for testing)
    #[arg(long, value_name = "PATH")]
    pub(crate) checker: Option<PathBuf>,
    /// Options for every `raddle check`
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; not an interface
    Human,
    /// As `docs/report.schema.json` describes it
    Json,
    /// SARIF 2.1.0, for editors and code scanning services
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropertyName {
    /// Every assertion holds
    #[value(alias = "unreach-call")]
    Assert,
    /// No two threads access a cell at the same time, one of them writing
    #[value(alias = "no-data-race")]
    Race,
    /// No threads wait for one another for ever
    Deadlock,
    /// Accesses lie in living objects, nothing is freed twice, no memory is lost
    #[value(alias = "valid-memsafety")]
    Memory,
    /// All memory is freed at the end of the process
    Leak,
    /// Signed arithmetic does not overflow
    #[value(alias = "no-overflow")]
    Overflow,
    /// Locks and other synchronisation objects are used as they may be
    LockMisuse,
    /// Nobody looks at a value that was never set
    Uninitialized,
    /// Nothing is computed or called that has no meaning, such as a quotient by zero
    Undefined,
    /// Every `invariant` of the program holds in every state
    Invariant,
    /// Units of work on an atomic set look as if they ran one after the other
    AtomicSets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// Proofs without search, then `explicit` and `bmc` side by side; `pushdown` for `atomic-sets`
    Auto,
    /// Breadth-first over the reference interpreter, shortest traces
    Reference,
    /// Search with transactions as single steps, every reduction
    Explicit,
    /// Executions of growing length as formulas: values that cannot be enumerated
    Bmc,
    /// Proofs without search, for any number of threads
    Static,
    /// Units of work on atomic sets, for an abstraction that forgets values
    Pushdown,
    /// Threads unrolled one by one, and a token that goes between them: `assert` and `race`
    Token,
    /// Executions at random and with few preemptions: finds what is shallow, proves nothing
    Sample,
    /// Proofs without a bound, by invariants that are checked: endless loops over values of any size
    Ic3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsName {
    /// Those that some interleaving needs, by mutually atomic transactions
    Mats,
    /// All of different threads
    All,
}

/// A bound as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContextBoundName {
    pub(crate) text: String,
    /// `None`: all threads.
    name: Option<String>,
    least: u64,
    most: u64,
}

fn context_bound(text: &str) -> Result<ContextBoundName, String> {
    let wrong = || format!("`{text}` is neither a number nor like `worker=0..2`");
    let number = |it: &str| it.parse::<u64>().map_err(|_| wrong());
    let (name, least, most) = match text.split_once('=') {
        None => (None, 0, number(text)?),
        Some((name, range)) => {
            let (least, most) = range.split_once("..").ok_or_else(wrong)?;
            (Some(name.to_owned()), number(least)?, number(most)?)
        }
    };
    if most < least {
        return Err(format!("no number is in `{least}..{most}`"));
    }
    Ok(ContextBoundName {
        text: text.to_owned(),
        name,
        least,
        most,
    })
}

fn strategy(text: &str) -> Result<StrategyName, String> {
    StrategyName::parse(text).ok_or_else(|| {
        let known = StrategyName::EXAMPLES.map(|it| format!("`{it}`"));
        format!("expected one of {}", known.join(", "))
    })
}

fn context_bounds(written: &[ContextBoundName]) -> ContextBounds {
    let mut bounds = ContextBounds::default();
    for bound in written {
        match &bound.name {
            None => bounds.all = Some(bound.most),
            Some(name) => bounds.named.push(ContextBound {
                name: name.clone(),
                least: bound.least,
                most: bound.most,
            }),
        }
    }
    bounds
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PatternsName {
    /// Those for units that write all of a set or nothing
    #[value(name = "14")]
    Fourteen,
    /// Every way in which two units are not serializable
    #[value(name = "32")]
    ThirtyTwo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReductionName {
    /// Every interleaving of every step
    None,
    /// No switch before steps that no other thread can notice; keeps every property but `atomic-sets`
    Local,
    /// Transactions by locks that are known before the search; may miss races, deadlocks and leaks
    Static,
    /// Transactions by locks that are checked in the search; may miss races, deadlocks and leaks
    Phase,
    /// Transactions that only go on with what may come earlier; may miss leaks
    Optimistic,
    /// As `phase`, with accesses that move from some state on; may miss races, deadlocks and leaks
    Dynamic,
}

impl PropertyName {
    pub(crate) fn property(self) -> Property {
        match self {
            PropertyName::Assert => Property::Assert,
            PropertyName::Race => Property::Race,
            PropertyName::Deadlock => Property::Deadlock,
            PropertyName::Memory => Property::Memory,
            PropertyName::Leak => Property::Leak,
            PropertyName::Overflow => Property::Overflow,
            PropertyName::LockMisuse => Property::LockMisuse,
            PropertyName::Uninitialized => Property::Uninitialized,
            PropertyName::Undefined => Property::Undefined,
            PropertyName::Invariant => Property::Invariant,
            PropertyName::AtomicSets => Property::AtomicSets,
        }
    }
}

impl Check {
    pub(crate) fn options(&self) -> Options {
        let question = &self.question;
        let mut properties: Vec<Property> =
            question.properties.iter().map(|it| it.property()).collect();
        properties.sort_unstable();
        properties.dedup();
        Options {
            properties: (!properties.is_empty()).then_some(properties),
            timeout: (!question.timeout.is_zero()).then_some(question.timeout),
            memory_limit: match question.memory {
                Some(0) => None,
                Some(megabytes) => Some(megabytes.saturating_mul(1 << 20)),
                None => raddle_driver::machine_memory_bytes().map(|bytes| bytes / 2),
            },
            jobs: self.jobs,
            max_threads: self.max_threads,
            has_spurious_wakeups: self.spurious,
            has_recycling: !self.no_recycling,
            engine: self.engine.choice(),
            pairs: self.pairs.map(|it| match it {
                PairsName::Mats => PairChoice::Mats,
                PairsName::All => PairChoice::All,
            }),
            context_bounds: context_bounds(&self.context_bounds),
            patterns: self.patterns.map(|it| match it {
                PatternsName::Fourteen => PatternSet::Fourteen,
                PatternsName::ThirtyTwo => PatternSet::ThirtyTwo,
            }),
            automata: self.automata.clone(),
            reduction: self.reduction.map(|it| match it {
                ReductionName::None => Reduction::None,
                ReductionName::Local => Reduction::Local,
                ReductionName::Static => Reduction::Static,
                ReductionName::Phase => Reduction::Phase,
                ReductionName::Optimistic => Reduction::Optimistic,
                ReductionName::Dynamic => Reduction::Dynamic,
            }),
            wants_shortest: self.shortest,
            minimising_replays: self
                .minimise
                .unwrap_or(Options::default().minimising_replays),
            explicit: ExplicitOptions {
                symmetry: self.symmetry,
                hash_compact: self.hash_compact,
                checkpoint: self.checkpoint.clone(),
                checkpoint_every: self.checkpoint_every,
                preemptions: self.preemptions,
                races: Races {
                    most: self.races.map_or(MOST_RACES, NonZeroUsize::get),
                    is_patient: self.races.is_some(),
                },
            },
            sample: SampleOptions {
                strategy: self.strategy,
                schedules: self.schedules.map(std::num::NonZeroU64::get),
            },
            seed: self.seed,
            keeps_question: self.dump_smt.is_some(),
            measures: self.profile,
            assume_defined: self.assume_defined,
            is_strict: self.strict,
            ..question.input.options()
        }
    }
}

/// As it is typed.
pub(crate) fn value_name(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |it| it.get_name().to_owned())
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds, as in `60` or `0.5`".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number) if number > 0 => Ok(number),
        Ok(_) | Err(_) => Err("expected a whole number of at least 1".to_owned()),
    }
}

impl EngineName {
    pub(crate) fn choice(self) -> EngineChoice {
        match self {
            EngineName::Auto => EngineChoice::Auto,
            EngineName::Reference => EngineChoice::One(EngineId::Reference),
            EngineName::Explicit => EngineChoice::One(EngineId::Explicit),
            EngineName::Bmc => EngineChoice::One(EngineId::Bmc),
            EngineName::Static => EngineChoice::One(EngineId::Static),
            EngineName::Pushdown => EngineChoice::One(EngineId::Pushdown),
            EngineName::Token => EngineChoice::One(EngineId::Token),
            EngineName::Sample => EngineChoice::One(EngineId::Sample),
            EngineName::Ic3 => EngineChoice::One(EngineId::Ic3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::input::DefaultSetsName;
    use super::*;
    use crate::command_line::{Arguments, Command};
    use clap::{CommandFactory, Parser};
    use raddle::DefaultSets;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_property_can_be_named() {
        let expected: Vec<&str> = Property::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(names::<PropertyName>(), expected);
    }

    fn names<T: ValueEnum>() -> Vec<String> {
        T::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value)
            .map(|it| it.get_name().to_owned())
            .collect()
    }

    #[test]
    fn every_engine_and_reduction_can_be_named() {
        let engines: Vec<&str> = EngineChoice::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(names::<EngineName>(), engines);
        let reductions: Vec<&str> = Reduction::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(names::<ReductionName>(), reductions);
    }

    #[test]
    fn all_default_sets_can_be_named() {
        let sets: Vec<&str> = DefaultSets::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(names::<DefaultSetsName>(), sets);
    }

    #[test]
    fn names_of_sv_comp_are_understood() {
        let arguments = Arguments::try_parse_from([
            "raddle",
            "check",
            "a.rad",
            "--property",
            "unreach-call",
            "--property",
            "no-data-race",
            "--property",
            "valid-memsafety",
            "--property",
            "no-overflow",
        ])
        .unwrap();
        let Command::Check(check) = arguments.command else {
            panic!("check was asked for")
        };
        assert_eq!(
            check.options().properties,
            Some(vec![
                Property::Assert,
                Property::Race,
                Property::Memory,
                Property::Overflow
            ])
        );
    }
}
