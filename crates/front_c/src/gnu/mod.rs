//! What becomes of gcc's attributes, pragmas and options: lists with one row for each, so that nothing is dropped
//! because nobody thought of it.
//!
//! - `attributes`, `pragmas`: what stands in the text;
//! - `options`: what stands behind `--`, with its rows in `option_rows`;
//! - `names`: what the C library of the machine defines beyond what is modelled.

pub mod attributes;
mod names;
mod option_rows;
pub mod options;
pub mod pragmas;

pub(crate) use names::is_of_the_implementation;

/// What becomes of an attribute or a pragma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It means here what it means to gcc, or is checked for the cases in which it would not.
    Understood,
    /// No execution that C defines can tell whether it is there.
    Harmless,
    /// A promise of whoever writes it, as that a function has no effects; a program that breaks it is undefined, which is
    /// not noticed.
    Promise,
    /// What it applies to is not modelled: reaching it makes the verdict unknown.
    Unsupported,
}
