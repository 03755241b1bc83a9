//! What can go wrong inside a step, before it is told who did it and where.

use crate::arithmetic::ArithmeticFault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Violates `memory`.
    Memory(String),
    /// Violates `lock-misuse`.
    LockMisuse(String),
    /// Undefined, and no property covers it.
    Undefined(String),
    /// A limit of the model.
    Unsupported(String),
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
