//! The bounded engine: executions of one, two, three… blocks as one formula each, until no execution is longer.
//!
//! What one edge does is `encode`'s business. Here:
//!
//! - `block`, `pending`: all that one thread does in one step (DR §5); `movers`, `moving`, `elsewhere`, `world`: which edges others
//!   need not see;
//! - `looks`, `looking`: what states show by themselves, with `race`, `deadlock`, `lost` and `invariant`;
//! - `unroll`: steps and schedules; `search`: questions to the solver; `trace`: a model as an execution.
//!
//! What is not modelled is a *hazard* with its condition, never dropped: a program is safe only if no execution meets
//! one.
#![warn(clippy::wildcard_enum_match_arm)]

mod block;
mod deadlock;
mod elsewhere;
mod invariant;
mod looking;
mod looks;
mod lost;
mod movers;
mod moving;
mod pending;
mod race;
mod search;
mod trace;
mod unroll;
mod world;

use raddle_engine::{Budget, Claims, Engine, EngineId, Events, Property, Reduction, Task};

/// Bounded model checking, incremental in the number of blocks.
#[derive(Clone, Copy, Debug)]
pub struct BmcEngine {
    pub reduction: Reduction,
    /// Tells the last question as text.
    pub keeps_question: bool,
}

impl BmcEngine {
    pub fn new(reduction: Reduction) -> Self {
        Self {
            reduction,
            keeps_question: false,
        }
    }
}

impl Engine for BmcEngine {
    fn id(&self) -> EngineId {
        EngineId::Bmc
    }

    fn reduction(&self) -> Reduction {
        self.reduction
    }

    fn decides(&self, property: Property) -> bool {
        property != Property::AtomicSets
    }

    fn looks_in_doubt(&self) -> bool {
        true
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        Claims::new(search::decide(*self, task, budget, events))
    }
}
