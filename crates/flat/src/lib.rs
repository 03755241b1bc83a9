//! Programs as finite transition systems, for engines that begin in any state.
#![warn(clippy::wildcard_enum_match_arm)]

mod meaning;

pub use meaning::Meaning;

use raddle_base::Budget;
use raddle_engine::{Property, Reason, Trace};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{StateVariableId, TargetId, TransitionSystem};

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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: 4,
            objects: 2,
            rounds: 20,
            places: 4_000,
        }
    }
}

/// A program as a transition system, and what its targets and variables mean.
pub struct Flat<'p> {
    pub system: TransitionSystem,
    pub observes_layout: bool,
    meanings: Vec<Meaning>,
    _program: std::marker::PhantomData<&'p ()>,
}

/// The transition system of a program.
///
/// # Errors
///
/// If the program is larger than the limits or the budget, or begins with something that is not modelled.
pub fn flatten<'p>(
    _interpreter: &Interpreter<'p>,
    _initial: &[State],
    _limits: &Limits,
    _budget: &Budget,
) -> Result<Flat<'p>, Reason> {
    Err(Reason::NotDecidedByEngine)
}

impl Flat<'_> {
    /// What it means to reach a target.
    pub fn meaning(&self, target: TargetId) -> &Meaning {
        &self.meanings[raddle_base::Id::index(target)]
    }

    /// Why targets do not speak of a property, if so.
    pub fn undecided(&self, _property: Property) -> Option<Reason> {
        Some(Reason::NotDecidedByEngine)
    }

    /// What the values of a state variable mean.
    pub fn explain(&self, _variable: StateVariableId) -> String {
        String::new()
    }

    /// The execution that a path is: state and inputs of each step, the last of which reaches the target.
    pub fn execution(
        &self,
        _interpreter: &Interpreter<'_>,
        _initial: &[State],
        _path: &[(Vec<u128>, Vec<u128>)],
        _target: TargetId,
    ) -> Option<Trace> {
        None
    }
}
