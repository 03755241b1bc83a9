//! What a SAT solver is.

use std::num::NonZeroI32;

use raddle_base::{Budget, Exhausted};

/// A variable or its negation, numbered as in DIMACS files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(NonZeroI32);

impl Literal {
    /// The positive literal of the variable with this number, from 1 on.
    pub fn positive(variable: i32) -> Literal {
        assert!(variable > 0, "variables are numbered from 1 on");
        Literal(NonZeroI32::new(variable).expect("positive"))
    }

    /// The number, negative if the literal is negated.
    pub fn number(self) -> i32 {
        self.0.get()
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

/// What solving comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    Satisfiable,
    Unsatisfiable,
    /// The budget is spent.
    Interrupted(Exhausted),
}

/// A SAT solver that is asked again and again while clauses are added.
///
/// # Contract
///
/// `Unsatisfiable` is believed; the failed assumptions alone with the clauses have to be unsatisfiable. `Satisfiable` is
/// checked by [`crate::Solver`], with the values that [`Sat::value`] gives.
pub trait Sat {
    /// A variable that no clause has yet.
    fn new_variable(&mut self) -> Literal;

    /// Adds a clause for good. An empty one makes everything unsatisfiable.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Searches for values of the variables that satisfy all clauses and these literals, and looks at the budget while
    /// it does.
    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Outcome;

    /// What a literal is in the model. Only if the last call was `solve` or `value` and the outcome satisfiable.
    fn value(&mut self, literal: Literal) -> Option<bool>;

    /// Some of the assumptions that cannot hold together; not always as few as possible. Empty only if the clauses are
    /// unsatisfiable alone, or if the last outcome was not unsatisfiable.
    fn failed_assumptions(&mut self) -> Vec<Literal>;

    /// Conflicts since the beginning, where the solver counts them.
    fn conflicts(&self) -> u64;
}
