//! The token-passing engine: threads unrolled one by one, and a token that goes from thread to thread (MAT).
//!
//! - `threads`, `step`, `deeds`, `addresses`, `unrolled`: each thread as a list of guarded nodes, at which it needs the token; `slots`, `shape`: what goes
//!   with the token, and which places are nodes;
//! - `order`, `system`: what can follow what; [`pairs`]: between which accesses the token has to be able to go, without
//!   knowing programs;
//! - `tokens`: that as constraints; `race`: what two threads show together;
//! - `search`: questions to the solver; `trace`: a model as an execution; [`survey`]: the pairs of a program, for people.
//!
//! What is not modelled is a *hazard* with its condition, never dropped: a program is safe only if no execution meets
//! one, or goes on where loops were cut.
#![warn(clippy::wildcard_enum_match_arm)]

mod addresses;
mod deeds;
mod order;
pub mod pairs;
mod race;
mod search;
mod shape;
mod slots;
mod step;
pub mod survey;
mod system;
mod threads;
mod tokens;
mod trace;
mod unrolled;

use raddle_engine::{Budget, Claims, Engine, EngineId, Events, Property, Reduction, Task};

use crate::tokens::Limits;

/// Between which accesses the token may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairChoice {
    /// Those that some interleaving needs, by mutually atomic transactions.
    #[default]
    Mats,
    /// All of different threads.
    All,
}

impl PairChoice {
    pub const ALL: [PairChoice; 2] = [PairChoice::Mats, PairChoice::All];

    /// As in `--pairs mats`.
    pub fn name(self) -> &'static str {
        match self {
            PairChoice::Mats => "mats",
            PairChoice::All => "all",
        }
    }
}

/// How often threads may receive the token. With a bound nothing is proved safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextBounds {
    /// Every thread, at most.
    pub all: Option<u64>,
    /// Threads that run a function, by its name.
    pub named: Vec<ContextBound>,
}

/// How often the threads that run one function receive the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextBound {
    pub name: String,
    pub least: u64,
    pub most: u64,
}

impl ContextBounds {
    fn of(&self, name: &str) -> Option<Limits> {
        let named = self.named.iter().find(|it| it.name == name);
        match (named, self.all) {
            (Some(bound), _) => Some(Limits {
                least: bound.least,
                most: bound.most,
            }),
            (None, Some(most)) => Some(Limits { least: 0, most }),
            (None, None) => None,
        }
    }
}

/// Token passing, incremental in the rounds of loops.
#[derive(Clone, Debug, Default)]
pub struct MatEngine {
    pub pairs: PairChoice,
    pub context_bounds: ContextBounds,
}

impl Engine for MatEngine {
    fn id(&self) -> EngineId {
        EngineId::Token
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        match property {
            Property::Assert | Property::Race => true,
            Property::Deadlock
            | Property::Memory
            | Property::Leak
            | Property::Overflow
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined
            | Property::Invariant
            | Property::AtomicSets => false,
        }
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        Claims::new(search::decide(self, task, budget, events))
    }
}
