//! What engines and their callers agree on: tasks, verdicts with their evidence, reasons for having none,
//! progress, and the door through which every answer goes. Knows engines by name only.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod condition;
mod distinct;
mod door;
mod endless;
mod facts;
mod id;
mod outlook;
mod plain_places;
mod profile;
mod reason;
mod remedy;
mod soundness;
mod unordered;
mod verdict;
mod weakness;

pub use condition::Condition;
pub use distinct::RaceKey;
pub use door::{Claims, decide, settled};
pub use endless::{Looks, MOST_STATES_OF_A_WAIT, endless_wait, livelock};
pub use facts::Facts;
pub use id::EngineId;
pub use outlook::Outlook;
pub use profile::{Phase, Profile, ProfilePlace};
pub use raddle_base::Budget;
pub use raddle_ir::interpret::{Property, Semantics};
pub use reason::{AbstractRole, AbstractStep, Bound, Depth, EndlessWait, Reason, Sampled};
pub use remedy::{Note, Remedy};
pub use unordered::{Schedule, decide_unordered};
pub use verdict::{Proof, ProofReason, Reduction, Trace, UpTo, Verdict};
pub use weakness::Weaknesses;

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::Program;

/// What to decide.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    pub program: &'p Program,
    /// The properties asked for and the limits of the model.
    pub semantics: Semantics,
    /// For engines that make random choices.
    pub seed: u64,
    /// How many workers may run at once; at least one.
    pub jobs: usize,
}

impl<'p> Task<'p> {
    /// For one worker.
    pub fn new(program: &'p Program, semantics: Semantics) -> Self {
        Self {
            program,
            semantics,
            seed: 0,
            jobs: 1,
        }
    }
}

/// What is known of a task: what comes out of the door.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Answer {
    /// One verdict for each property of the task, no more and no fewer.
    pub verdicts: BTreeMap<Property, Verdict>,
    pub counters: Counters,
    /// What every safe verdict of it rests on, besides the proof.
    pub conditions: Vec<Condition>,
    /// Some result depends on how objects are numbered, which no real machine promises.
    pub observes_layout: bool,
    /// Warnings: what is worth knowing though no verdict depends on it.
    pub notes: Vec<Note>,
    /// The engine has looked at every execution until it ends, or the program does what nobody can follow: a violation
    /// that it has not found is not there.
    pub is_exhaustive: bool,
    /// What is unknown, and will be whoever looks: the door's to say.
    pub unknown_for_good: BTreeSet<Property>,
    /// What the engine goes on with after it has told the rest, and what no other search can gain anything about: the door's to
    /// say.
    pub goes_on_with: Option<Property>,
}

/// Deterministic measures of the work done, by name.
pub type Counters = BTreeMap<&'static str, u64>;

/// One way to decide properties. Whoever wants to know goes through [`decide`].
///
/// # Contract
///
/// - Every property of the task gets a verdict.
/// - `Safe` and `Unsafe` speak about the program in the task, before any reduction the engine applied to it.
/// - What every engine would have to think of is none of its business: the door knows what the reduction keeps, and
///   that interleavings are not always all. An engine may trust itself less.
/// - The clock of the budget is polled at least once per solver call or state expanded, the memory at least
///   once per thousand states.
/// - Equal tasks give equal verdicts, traces and counters if `jobs` is 1 and the budget suffices.
pub trait Engine {
    /// Which one it is, in options and in reports.
    fn id(&self) -> EngineId;

    fn name(&self) -> &'static str {
        self.id().name()
    }

    /// The reduction it applies.
    fn reduction(&self) -> Reduction;

    /// Whether it decides the property, of some programs. It is asked for nothing else.
    fn decides(&self, property: Property) -> bool;

    /// Whether it looks for violations even where its reduction hides some of them in this program. Else it is not asked.
    fn looks_in_doubt(&self) -> bool {
        false
    }

    /// Whether the property speaks about more than what the program declares, because the engine was given more.
    fn is_asked_more(&self, _property: Property) -> bool {
        false
    }

    /// What it makes of the properties, all of which it decides. The engines that a check may ask are named in the driver's
    /// plan (`Decider::engine`).
    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims;

    /// What becomes of `race` where it has found no two accesses that meet, but came across a weakness, and what it has counted
    /// meanwhile.
    fn decide_unordered(
        &mut self,
        _task: &Task<'_>,
        weakness: &Reason,
        _budget: &Budget,
        _events: &mut dyn Events,
    ) -> (Verdict, Counters) {
        (Verdict::Unknown(weakness.clone()), Counters::new())
    }
}

/// What executions that do something undefined count for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// A proof has to exclude them.
    #[default]
    Excluded,
    /// They count up to there: a proof that does not exclude them says so in its conditions.
    Examined,
    /// Somebody has made sure that there are none.
    Assumed,
}

/// Receives progress. Observing never changes a result.
pub trait Events {
    /// The counters so far, every now and then.
    fn progress(&mut self, counters: &Counters);

    /// How far a search has come, before its [`progress`](Self::progress): told often, so it is worked out only for those
    /// who ask.
    fn outlook(&mut self, _outlook: &dyn Fn() -> Outlook) {}

    /// A property was found violated, before the run has ended. What is told here is not lost if the run must
    /// end early, so engines tell it at once. In a check the driver's auditor listens (`driver/src/audit.rs`), and has the trace replayed before
    /// it counts.
    fn violated(&mut self, trace: &Trace);

    /// Of a property that was found violated before, a violation that is another one to people. Told by engines that were asked
    /// for more than the first.
    fn also_violated(&mut self, _trace: &Trace) {}

    /// A property was found safe or unsafe, as the word says, and that is audited: told once, by the driver, while other
    /// properties are open.
    fn decided(&mut self, _property: Property, _word: &'static str) {}

    /// What is known of most properties while the engine goes on with the rest: told once at most, by the door.
    fn answered(&mut self, _answer: &Answer) {}

    /// The last question to a solver, in SMT-LIB 2 for other solvers: told at the end of a run by engines that were
    /// asked to keep it.
    fn question(&mut self, _script: String) {}

    /// Where the time went: told at the end of a run by engines that were asked to measure it.
    fn profile(&mut self, _profile: Profile) {}
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Events for Silent {
    fn progress(&mut self, _counters: &Counters) {}

    fn violated(&mut self, _trace: &Trace) {}
}
