//! Gives GNU C its meaning: types, layout, constants, and the program in the intermediate representation.
//!
//! - `check`: from the syntax tree to the typed tree; `types` and `typed` say what that is;
//! - `lower`: from the typed tree to the program;
//! - `gnu`: what becomes of gcc's attributes, pragmas and options;
//! - `library`: what the C library does, as C text that is read with the program;
//! - `subject`: which declaration an annotation is about;
//! - `modelled`: which functions of threads and their kin have a meaning.

pub mod check;
pub mod gnu;
pub mod library;
mod lower;
pub mod modelled;
mod read;
mod subject;
pub mod typed;
pub mod types;

pub use read::{on_large_stack, read};

use raddle_diag::Diagnostic;
use raddle_ir::{DataModel, Program};

/// How a program is to be read.
#[derive(Clone, Copy, Debug)]
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
    /// What `main` is called with.
    pub command_line: CommandLine,
}

/// The stack of a thread on GNU/Linux, unless somebody says otherwise.
pub const DEFAULT_STACK_BYTES: u64 = 8 << 20;

/// What `main` is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandLine {
    /// Any number of arguments, of which nothing is known.
    Any,
    /// The name of a program and nothing else.
    Empty,
}

/// A program that was read, and what its user should know.
#[derive(Clone, Debug)]
pub struct Reading {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}
