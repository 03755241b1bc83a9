//! Bit-vector logic for symbolic engines: terms, their translation to a SAT solver, and answers that are checked.
//!
//! - [`terms`]: bit-vectors of 1 to 128 bits, hash-consed and simplified as they are built;
//! - [`evaluate`]: what a term is worth when its variables have values;
//! - [`gates`], [`blast`], [`clauses`]: terms become gates, gates become clauses, each once;
//! - [`sat`]: what a SAT solver is; [`cadical`]: the one in use; [`proving`]: the same with refutations that can be checked;
//! - [`solver`]: assertions and assumptions in, models and cores out;
//! - [`smt`]: assertions as SMT-LIB 2 text, for other solvers;
//! - [`system`]: finite transition systems over terms.
//!
//! Terms stand apart from solvers, so that one set of them can serve several:
//!
//! ```
//! use raddle_base::Budget;
//! use raddle_logic::{Answer, Solver, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.variable("x", 32);
//! let seven = terms.constant(7, 32);
//! let product = terms.multiply(x, seven);
//! let one = terms.constant(1, 32);
//! let condition = terms.equal(product, one);
//!
//! let mut solver = Solver::new();
//! solver.assert(&terms, condition);
//! let Ok(Answer::Satisfiable(mut model)) = solver.check(&terms, &[], &Budget::unlimited()) else {
//!     panic!("7 has an inverse modulo 2^32");
//! };
//! assert_eq!(model.value(&terms, x), 0xb6db_6db7);
//! ```
//!
//! An engine builds a transition relation over variables that stand for the state before and after, and instantiates it
//! for each step with [`Substitution`]. What holds only for a while is asserted under a fresh variable that is assumed.

pub mod blast;
pub mod cadical;
pub mod clauses;
pub mod evaluate;
pub mod gates;
pub mod proving;
pub mod sat;
pub mod smt;
pub mod solver;
pub mod system;
pub mod terms;

pub use cadical::CaDiCal;
pub use evaluate::{Assignment, Evaluation};
pub use proving::Proving;
pub use sat::{Literal, Outcome, Sat};
pub use solver::{Answer, Counters, Model, Solver, SolverError};
pub use system::{Certificate, StateVariable, StateVariableId, Target, TargetId, TransitionSystem};
pub use terms::{Operation, Substitution, Term, TermId, Terms, VariableId};
