//! Formulas over whole states: invariants and predicates of exclusive access.
//!
//! A formula reads cells, lock owners and program points, which an [`Expression`] cannot. So it lists its
//! reads as *atoms*, each bound to a register of its own, and combines them in an ordinary expression.
//!
//! Every atom is used exactly once, in its order, by later atoms or by the body (the validator checks it);
//! then the text form, which writes each atom at its place of use, has one reading.

use raddle_base::{Arena, Span};

use crate::expression::Expression;
use crate::program::{FunctionId, LocationId, Register, RegisterId};
use crate::types::{IntType, Scalar};

/// A condition on a state, seen by one thread, the *subject*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// One register an atom, in order of evaluation.
    pub registers: Arena<RegisterId, Register>,
    /// As long as `registers`.
    pub atoms: Vec<Atom>,
    /// A `u1` over the registers.
    pub body: Expression,
}

/// Something read from the state. Addresses range over the registers of earlier atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The value of a cell.
    Cell { address: Expression, ty: Scalar },
    /// The thread that holds a mutex, a monitor or a write lock; the null thread, all ones, if nobody does.
    Owner { lock: Expression },
    /// As `u1`: whether the subject stands at a location, in any of its frames.
    At {
        function: FunctionId,
        location: LocationId,
    },
    /// The index variable of `exclusive x[j] when …`.
    Index(IntType),
}

/// `invariant e`: holds in every state, for no particular subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub formula: Formula,
    pub span: Option<Span>,
}

/// `exclusive x when e`: while `e` holds for a thread, no other thread may access `x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusive {
    /// The first cell: the address of a global plus a constant.
    pub address: Expression,
    pub ty: Scalar,
    /// For `x[j]`: the number of elements and the bytes from one to the next.
    pub elements: Option<Elements>,
    pub condition: Formula,
    pub span: Option<Span>,
}

/// A family of cells, one for each value of the index variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    pub variable: String,
    pub count: u64,
    pub stride: u64,
}
