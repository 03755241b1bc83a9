//! The bounded engine: executions of one, two, three… blocks as one formula each, until no execution is longer.
//!
//! - `place`: calls inlined and loops unrolled as far as executions get; `word`, `values`, `names`, `object`, `memory`,
//!   `pointees`, `sync`: symbolic data;
//! - `action`: what one edge does, with `callee`, `frames`, `threads` and `lifetime`; `operation`: what it does to
//!   synchronisation objects, with `lock`, `condition`, `barrier` and `monitor`;
//! - `block`: all that one thread does in one step (DR §5); `moving`, `world`: which edges others need not see;
//! - `looks`: what states show by themselves, with `race`, `deadlock`, `lost` and `invariant`;
//! - `initial`, `unroll`: beginnings, steps and schedules; `search`: questions to the solver; `trace`: a model as an execution.
//!
//! What is not modelled is a *hazard* with its condition, never dropped: a program is safe only if no execution meets
//! one.
#![warn(clippy::wildcard_enum_match_arm)]

mod action;
mod barrier;
mod block;
mod callee;
mod condition;
mod deadlock;
mod frames;
mod guard;
mod hazard;
mod initial;
mod invariant;
mod lifetime;
mod lock;
mod looks;
mod lost;
mod memory;
mod monitor;
mod moving;
mod names;
mod object;
mod operation;
mod place;
mod pointees;
mod race;
mod search;
mod state;
mod sync;
mod threads;
mod trace;
mod unroll;
mod values;
mod word;
mod world;

use raddle_engine::{Answer, Budget, Engine, Events, Property, Reduction, Task};

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

/// Whether the engine decides a property at all.
pub fn decides(property: Property) -> bool {
    looks::is_decided(property, Reduction::None)
}

impl Engine for BmcEngine {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn reduction(&self) -> Reduction {
        self.reduction
    }

    fn decide(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Answer {
        search::decide(*self, task, budget, events)
    }
}
