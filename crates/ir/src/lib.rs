//! The concurrent intermediate representation: one waist between front ends and engines.
//!
//! - [`program`], [`types`], [`expression`], [`action`], [`formula`]: what a program is;
//! - [`effect`]: what actions do to locks and memory, classified once;
//! - [`mod@validate`]: the rules that make a [`ProgramDraft`] a [`Program`];
//! - [`any_values`]: the same program for whoever takes unset values for any values;
//! - [`mod@print`]: its text form, which `front_rad` reads back;
//! - [`arithmetic`]: what the operations on values compute; [`emit`]: what output looks like;
//! - [`interpret`]: the reference interpreter, the only definition of what a program means, and beside it what it is made of
//!   ([`bytes`], [`entries`], [`numbering`], [`places`], [`pointers`]), who looks at it ([`watch`]), steps without copies ([`in_place`]), what it knows of the whole program (`recycling`), what
//!   is judged over many states ([`endless`], [`happens_before`]) and what people call things (`wording`);
//! - `saved`: parts of states as bytes and back, for whoever keeps them.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod action;
pub mod any_values;
pub mod arithmetic;
pub mod bytes;
pub mod effect;
pub mod emit;
pub mod endless;
pub mod entries;
pub mod expression;
pub mod formula;
pub mod happens_before;
pub mod in_place;
pub mod interpret;
pub mod numbering;
mod part;
pub mod places;
pub mod pointers;
pub mod print;
pub mod program;
pub mod read_only;
mod recycling;
mod saved;
pub mod types;
pub mod validate;
pub mod watch;
mod wording;
pub mod words;

pub use action::{
    Access, Action, AllocateKind, Callee, EndKind, NamePlace, Order, RmwOperation, SyncInit,
    SyncOperation,
};
pub use effect::{
    ActionGroup, Deed, Direction, LockEffect, LockMode, Occasion, Operand, SyncEffect,
};
pub use expression::{BinaryOp, Expression, UnaryOp};
pub use formula::{Atom, Exclusive, Formula, Invariant};
pub use program::{
    AtomicSet, AtomicSetId, Edge, EdgeId, Function, FunctionId, Global, GlobalId, Initial,
    Location, LocationId, Member, Program, ProgramDraft, Register, RegisterId, Root,
};
pub use read_only::ReadOnly;
pub use types::{
    DataModel, Field, FloatType, IntType, MutexKind, Scalar, StructId, StructType, SyncType, Type,
};
pub use validate::{Invalid, validate};
