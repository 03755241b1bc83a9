//! Gives GNU C its meaning: types, layout, constants, and the program in the intermediate representation.
//!
//! - `assumptions`: what the program is taken to run in;
//! - `check`: from the syntax tree to the typed tree; `types` and `typed` say what that is;
//! - `assembler`: the text of `asm` statements;
//! - `lower`: from the typed tree to the program;
//! - `gnu`: what becomes of gcc's attributes, pragmas and options;
//! - `library`: what the C library does, as C text that is read with the program;
//! - `entry`: where a program begins that has no `main`;
//! - `stubs`: a file for what is missing, to be edited;
//! - `subject`: which declaration an annotation is about;
//! - `modelled`: which functions of threads and their kin have a meaning.

mod assembler;
mod assumptions;
pub mod check;
pub mod entry;
pub mod gnu;
pub mod library;
mod lower;
pub mod modelled;
mod parts;
mod read;
mod stubs;
mod subject;
pub mod typed;
pub mod types;

pub use assumptions::{Assumption, Surroundings};
pub use entry::Beginning;
pub use read::{on_large_stack, read};

use raddle_diag::Diagnostic;
use raddle_ir::{DataModel, Program};

/// How a program is to be read.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct Options {
    pub model: DataModel,
    /// `malloc` and the like may return a null pointer.
    pub malloc_may_fail: bool,
    /// Functions without a definition return anything; else reaching one makes the verdict unknown.
    pub extern_havoc: bool,
    /// The size of the stack of a thread.
    pub stack_bytes: u64,
    /// Whether pragmas of OpenMP mean nothing; else reaching one makes the verdict unknown.
    pub ignores_openmp: bool,
    pub surroundings: Surroundings,
    /// A new thread may run before `pthread_create` has stored its id, as POSIX allows.
    pub stores_ids_late: bool,
    /// Whether an access to a volatile object of at most a word is atomic and sequentially consistent.
    pub volatile_is_atomic: bool,
    pub beginning: Beginning,
}

/// The stack of a thread on GNU/Linux, unless somebody says otherwise.
pub const DEFAULT_STACK_BYTES: u64 = 8 << 20;

/// What a user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub diagnostic: Diagnostic,
    /// With [`Options::extern_havoc`] it would be otherwise.
    pub is_for_want_of_havoc: bool,
}

impl From<Diagnostic> for Warning {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            is_for_want_of_havoc: false,
        }
    }
}

/// A program that was read, and what its user should know.
#[derive(Clone, Debug)]
pub struct Reading {
    pub program: Program,
    pub warnings: Vec<Warning>,
    /// What of its surroundings it asks for, and what it was told.
    pub assumptions: Vec<Assumption>,
    /// A file of C with a stub for everything that is used and nobody defines, or that is not modelled.
    pub stubs: String,
}
