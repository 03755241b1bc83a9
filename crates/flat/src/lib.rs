//! Programs as finite transition systems, for engines that begin in any state.
//!
//! # Source
//!
//! DR §5 for the transition relation; `encode` for what one edge does.
//!
//! # Definitions
//!
//! - A *flat program* is a `TransitionSystem`: calls are inlined, loops stay loops, and each thread and object has a name by the place
//!   where it is made. In a step one thread, which an input chooses, takes one edge or one atomic section, or a few edges (`Reduction::Local`).
//! - A *slot* is a piece of a state (`slot`), a *shape* what it may hold (`shape`), a *coding* how it is written (`coding`).
//! - A *hazard* is a target that stands for what is not modelled or not followed.
//!
//! # Invariants
//!
//! - **(F1)** Every execution of the program is a path of the flat program up to and including its first violation or hazard, and every
//!   path is an execution.
//! - **(F2)** A thread or an object whose place makes another one is told from it by a copy of its own, or by nobody naming it any more;
//!   else it is a hazard.
//! - **(F3)** After a violation that ends the execution, or a hazard, no step is possible.
//!
//! # Deviations
//!
//! 1. DR's programs have no heap, no pointers and finitely many threads. Here what has no bound ends in hazards.
//! 2. DR's blocks lie between locations that cut every loop, with conditions for movers; here only what touches registers alone is passed.
//!
//! # Tested by
//!
//! `crates/flat/tests/side_by_side.rs` and `files.rs` walk programs and flat programs side by side (F1, F2, F3), and notice what is wrong
//! on purpose; `local.rs` compares what blocks leave of violations.
#![warn(clippy::wildcard_enum_match_arm)]

mod assemble;
mod build;
mod coding;
mod commit;
mod execution;
mod liveness;
mod meaning;
mod naming;
mod pass;
mod print;
mod prolong;
mod shape;
mod slot;
mod stale;
mod step;

pub use meaning::Meaning;

use raddle_base::{Budget, Id};
use raddle_encode::Encoder;
use raddle_engine::{Property, Reason, Reduction};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{TargetId, TermId, TransitionSystem, VariableId};

use build::{Builder, Stops};
use coding::Coding;
use pass::{Move, Occasion, Offers};
use slot::Slot;

/// How much of a program is followed; past it are hazards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many threads one start in a loop may start.
    pub threads: usize,
    /// How many objects one allocation in a loop may have made at a time.
    pub objects: usize,
    /// How many rounds a loop inside of an atomic section may have.
    pub rounds: u32,
    /// How many places all threads together may have.
    pub places: usize,
    /// What belongs to one step: `None`, or `Local` (anything else counts as `Local`).
    pub reduction: Reduction,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: 4,
            objects: 2,
            rounds: 20,
            places: 4_000,
            reduction: Reduction::None,
        }
    }
}

/// A program as a transition system, and what its targets and variables mean.
pub struct Flat<'p> {
    pub system: TransitionSystem,
    /// Some result may depend on how objects are numbered.
    pub observes_layout: bool,
    meanings: Vec<Meaning>,
    occasions: Vec<Vec<Occasion>>,
    slots: Vec<(Slot, Coding)>,
    threads: Vec<Stops>,
    moves: Vec<Move>,
    offers: Offers,
    first: Vec<TermId>,
    begun: Vec<(VariableId, TermId)>,
    /// With the records of all steps, and without its terms: the system has them.
    encoder: Encoder<'p>,
}

/// The transition system of a program.
///
/// # Errors
///
/// If the program is larger than the limits or the budget, or begins with something that is not modelled.
pub fn flatten<'p>(
    interpreter: &Interpreter<'p>,
    initial: &[State],
    limits: &Limits,
    budget: &Budget,
) -> Result<Flat<'p>, Reason> {
    let unsupported = || Reason::Unsupported {
        what: "what the program starts with, in this engine".into(),
        span: None,
    };
    let first = initial.first().ok_or_else(unsupported)?;
    let (mut encoder, mut beginning) = Encoder::new(interpreter, first).ok_or_else(unsupported)?;
    let begins = encoder
        .begin_anywhere(&mut beginning.shared, interpreter, initial)
        .ok_or_else(unsupported)?;
    encoder.budget = budget.clone();
    let mut builder = Builder::new(encoder, beginning, *limits);
    let mut pass = builder.settle((interpreter, first), budget)?;
    let moves = std::mem::take(&mut pass.moves);
    let offers = std::mem::take(&mut pass.offers);
    let assembled = builder.assemble(pass, begins);
    Ok(Flat {
        observes_layout: builder.encoder.observes_layout,
        system: assembled.system,
        meanings: assembled.meanings,
        occasions: assembled.occasions,
        slots: assembled.slots,
        begun: assembled.begun,
        threads: builder.threads,
        moves,
        offers,
        first: assembled.first,
        encoder: builder.encoder,
    })
}

impl Flat<'_> {
    /// What it means to reach a target.
    pub fn meaning(&self, target: TargetId) -> &Meaning {
        &self.meanings[target.index()]
    }

    /// Why targets do not speak of a property, if so.
    pub fn undecided(&self, property: Property) -> Option<Reason> {
        match property {
            Property::Assert
            | Property::Overflow
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined => None,
            Property::Memory => self
                .encoder
                .program
                .uses_heap()
                .then(|| Reason::Unsupported {
                    what: "memory that is lost, in this engine".into(),
                    span: None,
                }),
            Property::Race
            | Property::Deadlock
            | Property::Leak
            | Property::Invariant
            | Property::AtomicSets => Some(Reason::NotDecidedByEngine),
        }
    }
}
