//! The engine `ic3`: proofs without a bound, where loops go on for ever over values that nobody can enumerate.
//!
//! `flat` makes a program a transition system, `ic3` proves or finds, `certify` checks what is proved, before it is said.
//! What is found is executed on the program, step by step, like what `bmc` finds. Here is what lies between them: which targets are
//! asked about, and what an answer about a target means for a property.
#![warn(clippy::wildcard_enum_match_arm)]

mod search;

use raddle_engine::{Budget, Claims, Engine, EngineId, Events, Property, Reduction, Task};
use raddle_flat::Limits;

/// Proofs by IC3 and by induction, and the violations that they come across.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ic3Engine {
    /// How much of a program is followed.
    pub limits: Limits,
}

impl Engine for Ic3Engine {
    fn id(&self) -> EngineId {
        EngineId::Ic3
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        match property {
            Property::Assert
            | Property::Overflow
            | Property::Memory
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined => true,
            Property::Race
            | Property::Deadlock
            | Property::Leak
            | Property::Invariant
            | Property::AtomicSets => false,
        }
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        Claims::new(search::decide(self.limits, task, budget, events))
    }
}
