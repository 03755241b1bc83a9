//! Phase automata that a user gives.
//!
//! They are the property specifications of AS §3.2 ([`phases`](crate::phases)), in a language of our own.
//!
//! - [`text`]: how they are written; [`resolve`]: what their names mean in a program; `decide`: whether any
//!   interleaving of the abstraction is accepted.

pub(crate) mod decide;
pub mod resolve;
pub mod text;

use raddle_base::Span;

/// An automaton as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub name: Word,
    pub parties: Vec<WrittenParty>,
    /// At least one.
    pub steps: Vec<WrittenStep>,
}

/// Somebody the automaton speaks about; different parties are different threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenParty {
    pub name: Word,
    /// Only threads of this name: of a thread that is there from the start, or of the function it was started with.
    pub thread: Option<Word>,
}

/// A phase, in which everything happens but for what is refused, and the step that ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenStep {
    /// By its number.
    pub party: usize,
    pub event: WrittenEvent,
    pub refused: Vec<WrittenRefusal>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRefusal {
    /// By its number; `None` is any thread.
    pub party: Option<usize>,
    pub event: WrittenEvent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenEvent {
    pub verb: Verb,
    /// What it is done to, as in `stack.data[1]` or `pop`. Units of work have none, functions and locks one.
    pub operands: Vec<Word>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Read,
    Write,
    Access,
    Lock,
    Unlock,
    Enter,
    Leave,
    Begin,
    End,
}

impl Verb {
    pub const ALL: [Verb; 9] = [
        Verb::Read,
        Verb::Write,
        Verb::Access,
        Verb::Lock,
        Verb::Unlock,
        Verb::Enter,
        Verb::Leave,
        Verb::Begin,
        Verb::End,
    ];

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Verb::Read => "read",
            Verb::Write => "write",
            Verb::Access => "access",
            Verb::Lock => "lock",
            Verb::Unlock => "unlock",
            Verb::Enter => "enter",
            Verb::Leave => "leave",
            Verb::Begin => "begin",
            Verb::End => "end",
        }
    }
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}
