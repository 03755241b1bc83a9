//! Properties and what it means to violate them.

use std::fmt;

use raddle_base::Span;

use crate::program::{EdgeId, FunctionId};

use super::state::ThreadNumber;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    Assert,
    Race,
    Deadlock,
    Memory,
    Leak,
    Overflow,
    LockMisuse,
    Uninitialized,
    Undefined,
    Invariant,
    AtomicSets,
}

impl Property {
    pub const ALL: [Property; 11] = [
        Property::Assert,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Leak,
        Property::Overflow,
        Property::LockMisuse,
        Property::Uninitialized,
        Property::Undefined,
        Property::Invariant,
        Property::AtomicSets,
    ];

    /// As in `--property race`, in reports and in the headers of tests.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Memory => "memory",
            Property::Leak => "leak",
            Property::Overflow => "overflow",
            Property::LockMisuse => "lock-misuse",
            Property::Uninitialized => "uninitialized",
            Property::Undefined => "undefined",
            Property::Invariant => "invariant",
            Property::AtomicSets => "atomic-sets",
        }
    }

    /// Whether a violation ends the execution: what would come after it nobody knows, so what is said of the other
    /// properties is said of executions up to there. A failed assertion ends the process, which is no riddle.
    pub fn ends_executions(self) -> bool {
        match self {
            Property::Memory
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined => true,
            Property::Assert
            | Property::Race
            | Property::Deadlock
            | Property::Leak
            | Property::Overflow
            | Property::Invariant
            | Property::AtomicSets => false,
        }
    }

    /// Those whose violations end executions.
    pub fn ending() -> impl Iterator<Item = Property> {
        Self::ALL.into_iter().filter(|it| it.ends_executions())
    }

    pub fn from_name(name: &str) -> Option<Property> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A property does not hold, and who did what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: Property,
    /// Lower case, names in backticks, as in: `balance` is written and read at the same time.
    pub message: String,
    /// The first is the primary one.
    pub labels: Vec<ViolationLabel>,
    /// A place that no thread stands at, such as an invariant or an allocation, and what is said of it.
    pub span: Option<(Span, String)>,
}

/// A thread stands before (or took) an edge; or, if that has no place in the sources, is inside of this call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolationLabel {
    pub thread: ThreadNumber,
    pub function: FunctionId,
    pub edge: EdgeId,
    /// The number of the step in the trace, from 0, that did it; none if the end of the trace shows it.
    pub step: Option<usize>,
    /// As in: read by thread `withdraw`, holding no lock.
    pub text: String,
}

/// Why an execution goes no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A failed assertion, which just ends the process, or a violation of a property that
    /// [ends executions](Property::ends_executions), whether or not it was asked for: what is safe besides is safe as long
    /// as no such violation happens.
    Violation(Violation),
    /// An [`crate::Action::Unsupported`], or a limit of the model. Safe becomes unknown.
    Unsupported {
        what: String,
        span: Option<Span>,
    },
    ThreadLimit {
        limit: usize,
        span: Option<Span>,
    },
    TooManyChoices {
        values: u128,
        span: Option<Span>,
        /// It was too much work to find out which of them the program tells apart.
        is_unanalysed: bool,
    },
}
