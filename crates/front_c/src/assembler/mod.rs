//! Reads the template of an `asm` statement as gcc and its assembler do, in the AT&T syntax of x86.
//!
//! What instructions mean is not said here, but in `check::asm`. What is read wrongly would change a verdict, so
//! whatever is not known is an error that names it.

mod constraint;
mod reader;
#[cfg(test)]
mod tests;

pub(crate) use constraint::{Constraint, OperandPlace};
pub(crate) use reader::read;

/// One line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// `1:`
    Label(String),
    Instruction(Instruction),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// The prefix `lock`.
    pub(crate) is_locked: bool,
    /// In lower case, with its suffix.
    pub(crate) name: String,
    /// In the order of the text: what is written comes last.
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// `%0`, `%b[name]`
    Operand(Operand),
    /// `%%eax`
    Register(Register),
    /// `$1`
    Immediate(i128),
    /// `8(%1)`, `(%%rax)`
    Memory(i64, Box<Argument>),
    /// `1b`, `2f`
    Local(LocalTarget),
    /// `%l0`, `%l[name]`
    Label(OperandName),
}

/// An operand of the statement, as the template calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) name: OperandName,
    /// How many bytes of it are meant, if the template says so.
    pub(crate) bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OperandName {
    Number(usize),
    Word(String),
}

/// A register that the template names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) family: Family,
    pub(crate) bytes: u64,
}

/// A register whatever part of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    A,
    B,
    C,
    D,
    Source,
    Destination,
    Stack,
}

/// A label in the text, before or behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalTarget {
    pub(crate) label: String,
    pub(crate) is_ahead: bool,
}

impl Register {
    /// By its name without `%`; the upper halves of 16 bits are not known.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (family, bytes) = match name {
            "al" => (Family::A, 1),
            "ax" => (Family::A, 2),
            "eax" => (Family::A, 4),
            "rax" => (Family::A, 8),
            "bl" => (Family::B, 1),
            "bx" => (Family::B, 2),
            "ebx" => (Family::B, 4),
            "rbx" => (Family::B, 8),
            "cl" => (Family::C, 1),
            "cx" => (Family::C, 2),
            "ecx" => (Family::C, 4),
            "rcx" => (Family::C, 8),
            "dl" => (Family::D, 1),
            "dx" => (Family::D, 2),
            "edx" => (Family::D, 4),
            "rdx" => (Family::D, 8),
            "sil" => (Family::Source, 1),
            "si" => (Family::Source, 2),
            "esi" => (Family::Source, 4),
            "rsi" => (Family::Source, 8),
            "dil" => (Family::Destination, 1),
            "di" => (Family::Destination, 2),
            "edi" => (Family::Destination, 4),
            "rdi" => (Family::Destination, 8),
            "esp" => (Family::Stack, 4),
            "rsp" => (Family::Stack, 8),
            _ => return None,
        };
        Some(Self { family, bytes })
    }
}
