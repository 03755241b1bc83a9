//! What can go wrong inside a step, before it is told who did it and where.

use crate::arithmetic::ArithmeticFault;
use crate::program::RegisterId;

use super::state::ObjectNumber;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Violates `memory`.
    Memory(String),
    /// Violates `lock-misuse`.
    LockMisuse(String),
    /// Violates `uninitialized`: somebody looks at a value that nobody has set.
    Uninitialized(Unset),
    /// Violates `undefined`.
    Undefined(String),
    /// A limit of the model.
    Unsupported(String),
}

/// Where a value would have been that nobody has set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unset {
    /// Of the running frame.
    Register(RegisterId),
    Cell(ObjectNumber),
    /// Somewhere in an expression.
    Somewhere,
}

/// What is said of a look at such a value.
pub(crate) const NEVER_SET: &str = "a value is used that was never set";

/// What is said where a choice stands for a value that is not known exactly.
pub const APPROXIMATE: &str = "a value that is known only approximately";

/// What is said of an access to a global that is opaque.
pub fn opaque_use(name: &str) -> String {
    format!("a use of `{name}`, which no file defines,")
}

/// The same where it may only be that the value is not known.
pub const NOT_KNOWN: &str = "a value that was never set, or is not known";

impl Fault {
    /// What is wrong, in words.
    pub(crate) fn what(&self) -> &str {
        match self {
            Fault::Memory(what)
            | Fault::LockMisuse(what)
            | Fault::Undefined(what)
            | Fault::Unsupported(what) => what,
            Fault::Uninitialized(_) => NEVER_SET,
        }
    }
}

impl From<ArithmeticFault> for Fault {
    fn from(fault: ArithmeticFault) -> Self {
        match fault {
            ArithmeticFault::PointerLeavesObject => Fault::Memory(fault.message().into()),
            ArithmeticFault::DivisionByZero
            | ArithmeticFault::QuotientOutOfRange
            | ArithmeticFault::ShiftOutOfRange
            | ArithmeticFault::FloatOutOfRange
            | ArithmeticFault::DistanceOfTwoObjects => Fault::Undefined(fault.message().into()),
        }
    }
}
