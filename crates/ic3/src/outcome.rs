//! What a search comes to.

use std::fmt;

use raddle_base::Exhausted;
use raddle_logic::{Certificate, SolverError, TargetId};

/// The answer of an engine on a transition system.
#[derive(Clone, Debug)]
#[must_use]
pub enum Outcome {
    /// No execution reaches a target. Whoever says so to others has the certificate checked before.
    Proved(Certificate),
    /// This execution reaches one; it was executed step by step.
    Reached(Reached),
    GaveUp(GaveUp),
}

/// An execution that ends with a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    pub target: TargetId,
    /// The states with the inputs of the step that leads on; the last step reaches the target.
    pub steps: Vec<Step>,
}

/// A state and what is chosen in it, in the order of the variables of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub state: Vec<u128>,
    pub inputs: Vec<u128>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    Exhausted(Exhausted),
    /// As deep as it was told to look, nothing was decided.
    DepthReached(usize),
    /// What a solver answered contradicts the execution of steps: a bug of ours or of the solver.
    Contradiction(&'static str),
    Solver(SolverError),
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GaveUp::Exhausted(Exhausted::Time) => f.write_str("the time limit was reached"),
            GaveUp::Exhausted(Exhausted::Memory) => f.write_str("the memory limit was reached"),
            GaveUp::Exhausted(Exhausted::Cancelled) => f.write_str("cancelled"),
            GaveUp::DepthReached(depth) => write!(f, "undecided at depth {depth}"),
            GaveUp::Contradiction(what) => write!(f, "internal error: {what}"),
            GaveUp::Solver(error) => write!(f, "internal error: {error}"),
        }
    }
}

impl From<Exhausted> for GaveUp {
    fn from(exhausted: Exhausted) -> Self {
        GaveUp::Exhausted(exhausted)
    }
}

impl From<SolverError> for GaveUp {
    fn from(error: SolverError) -> Self {
        GaveUp::Solver(error)
    }
}
