//! The reference engine: breadth-first search over the reference interpreter, every interleaving of every step,
//! all properties in one search.
//!
//! Decides every property but `atomic-sets`, exactly, on programs with finitely many states; its traces are
//! shortest. It is the measure of the others, and slow.
#![warn(clippy::wildcard_enum_match_arm)]

mod search;

use raddle_engine::{
    Budget, Claims, Counters, Engine, EngineId, Events, Property, Reason, Reduction, Schedule,
    Task, Verdict,
};

/// Breadth-first, without reduction, one worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceEngine;

impl Engine for ReferenceEngine {
    fn id(&self) -> EngineId {
        EngineId::Reference
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        property != Property::AtomicSets
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        search::Search::new(task).run(budget, events)
    }

    fn decide_unordered(
        &mut self,
        task: &Task<'_>,
        weakness: &Reason,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> (Verdict, Counters) {
        let interpreter = raddle_stepper::definition(task.program, task.semantics.clone());
        let schedule = Schedule::EveryStep;
        raddle_engine::decide_unordered(&interpreter, weakness, schedule, budget, events)
    }
}
