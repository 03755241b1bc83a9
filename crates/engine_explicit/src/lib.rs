//! The explicit engine: a search over states with transactions as single steps (FQ, SC).
//!
//! Only states between transactions are stored. What the reduction takes for granted is checked while exploring; a guess
//! that turns out wrong is weakened, and whatever rested on it is explored again.
//!
//! - `setting`: what stays the same in a search; `style`: what the reductions ask for; `transaction`: all that one thread can do before another has to be scheduled;
//! - `phase`: where a transaction is; `way`: how it went; `cycles`: where one that may go on for ever is cut;
//! - `store`: the states between transactions; `links`: how they were reached; `ids`: their numbers, and others;
//! - `parts`: states as vectors of numbers; `packing`, `tree`, `pairs` and `levels`: such vectors in few bytes, `signatures`: in fewer; `memo`: what transactions came to; `standings`: what threads are about to do;
//! - `broken_predicates` and `lock_order`: warnings, on which no verdict depends;
//! - `frontier`: in which order; `reliances`: what is explored again; `estimate` and `measure`: how far it has come, and where its
//!   time goes;
//! - `search`: the loop; `survey`: what it shows about the steps of the program; `ways`: how many transactions a call takes.
#![warn(clippy::wildcard_enum_match_arm)]

mod broken_predicates;
mod cycles;
mod estimate;
mod frontier;
mod ids;
mod levels;
mod links;
mod lock_order;
mod measure;
mod memo;
mod packing;
mod pairs;
mod parts;
mod phase;
mod reliances;
mod search;
mod setting;
mod shortest;
mod signatures;
mod standings;
mod store;
mod style;
pub mod survey;
mod transaction;
mod tree;
mod way;
mod ways;

use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_engine::{
    Budget, Claims, Counters, Engine, EngineId, Events, Property, Reason, Reduction, Schedule,
    Task, Verdict,
};
use raddle_ir::watch::LookKind;
use raddle_reduce::dynamic::Clause;
use raddle_reduce::omission::Omission;
use raddle_reduce::table::Table;

pub use cycles::Cut;

/// A search over the states between transactions, by as many workers as the task says.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct ExplicitEngine {
    pub reduction: Reduction,
    pub inference: Inference,
    pub cut: Cut,
    pub order: Order,
    /// States that differ only in names of threads and objects count as one.
    pub symmetry: bool,
    /// Of states that were explored only a hash is kept, so that some may be missed, with a chance that the verdict tells.
    pub hash_compact: bool,
    /// Where to leave what it takes to go on later, if the order is [`Order::FirstFound`].
    pub checkpoint: Option<Checkpoint>,
    /// Tells at its end where the time went.
    pub measures: bool,
    /// Which races are told.
    pub races: Races,
    /// Several workers do from the first state on what is for many states, which pays only in tests.
    #[doc(hidden)]
    pub shares_at_once: bool,
    /// Of how many states it is remembered how they were reached, where that can be found out again.
    #[doc(hidden)]
    pub most_links: usize,
    /// What may go wrong only in tests of the tests.
    #[doc(hidden)]
    pub flaw: Flaw,
}

/// Where and how often a search leaves what it takes to go on later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub folder: PathBuf,
    /// Longer if it takes long to write.
    pub every: Duration,
}

/// Removes what searches have left in a folder to go on later.
///
/// # Errors
///
/// If the folder cannot be read, or a file cannot be removed.
pub fn remove_checkpoints(folder: &Path) -> std::io::Result<()> {
    search::remove_checkpoints(folder)
}

/// One thing that is wrong on purpose, to see whether it is noticed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaw {
    /// The documented table, unless it is the flaw.
    pub table: Table,
    pub omission: Option<Omission>,
    /// Of the conditions of dynamic movers.
    pub clause: Option<Clause>,
    /// Of what transactions look at, a kind of which no notes are taken.
    pub unnoted: Option<LookKind>,
}

impl Flaw {
    fn omits(self, omission: Omission) -> bool {
        self.omission == Some(omission)
    }
}

/// Which violation of a property is the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The first that is found; the search ends with it.
    #[default]
    FirstFound,
    /// One with the fewest switches of thread, of all executions of the program.
    FewestSwitches,
    /// One with the fewest preemptions, and at most so many. For reductions that count what the program would
    /// ([`Reduction::keeps_preemptions`]).
    FewestPreemptions { most: usize },
}

impl Order {
    /// Whether states are explored thread by thread, in the order of something that is counted on the way.
    pub(crate) fn counts(self) -> bool {
        match self {
            Order::FirstFound => false,
            Order::FewestSwitches | Order::FewestPreemptions { .. } => true,
        }
    }
}

/// How many races are told, each once for two places and an object. Where the fewest switches are looked for, one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Races {
    /// At least one.
    pub most: usize,
    /// The search goes on for them to its end, though nothing else is open; else for as long as it took until then.
    pub is_patient: bool,
}

impl Default for Races {
    fn default() -> Self {
        Self {
            most: 1,
            is_patient: false,
        }
    }
}

/// What happens when a guess turns out wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inference {
    /// States whose transactions relied on it are explored again (FQ §6).
    #[default]
    Again,
    /// Everything is (SC §9): slower, and the measure of the other.
    Restart,
}

impl ExplicitEngine {
    pub fn new(reduction: Reduction) -> Self {
        Self {
            reduction,
            inference: Inference::default(),
            cut: Cut::default(),
            order: Order::default(),
            symmetry: false,
            hash_compact: false,
            checkpoint: None,
            measures: false,
            races: Races::default(),
            shares_at_once: false,
            most_links: 1 << 20,
            flaw: Flaw::default(),
        }
    }
}

impl ExplicitEngine {
    /// How the steps of the program move with this reduction, and what that rests on.
    pub fn survey(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> survey::Survey {
        search::survey(self, task, budget, events)
    }
}

impl Engine for ExplicitEngine {
    fn id(&self) -> EngineId {
        EngineId::Explicit
    }

    fn reduction(&self) -> Reduction {
        self.reduction
    }

    fn decides(&self, property: Property) -> bool {
        property != Property::AtomicSets
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        search::decide(self, task, budget, events)
    }

    fn decide_unordered(
        &mut self,
        task: &Task<'_>,
        weakness: &Reason,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> (Verdict, Counters) {
        let interpreter = raddle_stepper::stepper(task.program, task.semantics.clone());
        let schedule = match self.reduction {
            Reduction::None => Schedule::EveryStep,
            Reduction::Local
            | Reduction::Static
            | Reduction::Phase
            | Reduction::Optimistic
            | Reduction::Dynamic => Schedule::AfterLocalSteps,
        };
        raddle_engine::decide_unordered(&interpreter, weakness, schedule, budget, events)
    }
}
