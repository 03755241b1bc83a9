//! What is certain of a number: that it was set, in which range it lies, that it is not null.

use raddle_ir::{BinaryOp, DataModel, IntType, Scalar};

/// Certain facts of a value. The numbers of integers are those that their types mean, those of pointers their offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberFacts {
    pub(crate) is_defined: bool,
    pub(crate) low: i128,
    pub(crate) high: i128,
    /// Of a pointer.
    pub(crate) is_not_null: bool,
}

impl NumberFacts {
    /// A value that was never set. It has any range, so that it takes over that of what it is joined with.
    pub(crate) const UNSET: NumberFacts = NumberFacts {
        is_defined: false,
        low: i128::MAX,
        high: i128::MIN,
        is_not_null: true,
    };

    /// Any value of a type, but one that was set.
    pub(crate) fn any(ty: Scalar) -> Self {
        let (low, high) = bounds(ty);
        Self {
            is_defined: true,
            low,
            high,
            is_not_null: false,
        }
    }

    pub(crate) fn exactly(number: i128) -> Self {
        Self {
            is_defined: true,
            low: number,
            high: number,
            is_not_null: number != 0,
        }
    }

    /// The first byte of an object.
    pub(crate) fn address() -> Self {
        Self {
            is_not_null: true,
            ..Self::exactly(0)
        }
    }

    pub(crate) fn within(low: i128, high: i128) -> Self {
        Self {
            is_defined: true,
            low,
            high,
            is_not_null: low > 0,
        }
    }

    /// What is certain of both.
    pub(crate) fn join(self, other: NumberFacts) -> Self {
        Self {
            is_defined: self.is_defined && other.is_defined,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            is_not_null: self.is_not_null && other.is_not_null,
        }
    }

    /// What is certain of one value of which both are certain.
    pub(crate) fn meet(self, other: NumberFacts) -> Self {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        let (low, high) = if self.low > self.high {
            (other.low, other.high)
        } else if low <= high {
            (low, high)
        } else {
            // The other has no range, or nobody gets here; that is told elsewhere.
            (self.low, self.high)
        };
        Self {
            is_defined: self.is_defined || other.is_defined,
            low,
            high,
            is_not_null: self.is_not_null || other.is_not_null,
        }
    }

    /// What is certain of a number that is so much more.
    pub(crate) fn moved(self, by: i128) -> Self {
        if by == 0 || self.low > self.high {
            return self;
        }
        Self {
            low: self.low.saturating_add(by),
            high: self.high.saturating_add(by),
            is_not_null: false,
            ..self
        }
    }

    /// As `join`, but a bound that moves goes to the end of the type, so that loops come to an end.
    pub(crate) fn widen(self, other: NumberFacts, ty: Scalar) -> Self {
        let joined = self.join(other);
        let (low, high) = bounds(ty);
        let is_first = self.low > self.high;
        Self {
            low: if joined.low < self.low && !is_first {
                low
            } else {
                joined.low
            },
            high: if joined.high > self.high && !is_first {
                high
            } else {
                joined.high
            },
            ..joined
        }
    }

    pub(crate) fn contains(self, number: i128) -> bool {
        // An empty range is that of a value that was never set.
        self.low > self.high || (self.low..=self.high).contains(&number)
    }

    pub(crate) fn is_within(self, low: i128, high: i128) -> bool {
        self.low >= low && self.high <= high && self.low <= self.high
    }
}

/// The least and the greatest number of a type; anything for what is no integer or too wide.
pub(crate) fn bounds(ty: Scalar) -> (i128, i128) {
    match ty {
        Scalar::Int(int) => (int.min(), i128::try_from(int.max()).unwrap_or(i128::MAX)),
        Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => (i128::MIN, i128::MAX),
    }
}

/// The range of an operation on integers of one type; anything of the type where it may wrap.
pub(crate) fn compute(
    op: BinaryOp,
    left: NumberFacts,
    right: NumberFacts,
    int: IntType,
) -> NumberFacts {
    let ty = Scalar::Int(int);
    let any = NumberFacts::any(ty);
    if int.bits > 64 || left.low > left.high || right.low > right.high {
        return any;
    }
    let range = match op {
        BinaryOp::Add
        | BinaryOp::AddWrapping
        | BinaryOp::Subtract
        | BinaryOp::SubtractWrapping
        | BinaryOp::Multiply
        | BinaryOp::MultiplyWrapping
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftLeftWrapping => exact_range(op, left, right),
        BinaryOp::Divide if right.low > 0 => corners(left, right, i128::checked_div),
        BinaryOp::Remainder if right.low > 0 && left.low >= 0 => {
            Some((0, left.high.min(right.high - 1)))
        }
        BinaryOp::Remainder if right.low > 0 => Some((1 - right.high, right.high - 1)),
        BinaryOp::And if left.low >= 0 && right.low >= 0 => Some((0, left.high.min(right.high))),
        BinaryOp::And if left.low >= 0 => Some((0, left.high)),
        BinaryOp::And if right.low >= 0 => Some((0, right.high)),
        BinaryOp::ShiftRight if left.low >= 0 && right.low >= 0 => Some((0, left.high)),
        BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Offset
        | BinaryOp::Distance => None,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => Some((0, 1)),
    };
    match range {
        Some((low, high)) if low >= any.low && high <= any.high => NumberFacts::within(low, high),
        Some(_) | None => any,
    }
}

/// The least and the greatest result of an operation on whole numbers that no type bounds; `None` if it is not one
/// that is followed.
pub(crate) fn exact_range(
    op: BinaryOp,
    left: NumberFacts,
    right: NumberFacts,
) -> Option<(i128, i128)> {
    if left.low > left.high || right.low > right.high {
        return None;
    }
    match op {
        BinaryOp::Add | BinaryOp::AddWrapping => corners(left, right, i128::checked_add),
        BinaryOp::Subtract | BinaryOp::SubtractWrapping => corners(left, right, i128::checked_sub),
        BinaryOp::Multiply | BinaryOp::MultiplyWrapping => corners(left, right, i128::checked_mul),
        // A shift of what is negative does not fit, whatever it gives.
        BinaryOp::ShiftLeft | BinaryOp::ShiftLeftWrapping
            if left.low >= 0 && right.is_within(0, 63) && left.high < 1 << 63 =>
        {
            corners(left, right, |value, by| Some(value << by))
        }
        BinaryOp::ShiftLeft
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Offset
        | BinaryOp::Distance
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => None,
    }
}

/// The least and the greatest of what an operation gives that has them at the ends of ranges.
fn corners(
    left: NumberFacts,
    right: NumberFacts,
    apply: fn(i128, i128) -> Option<i128>,
) -> Option<(i128, i128)> {
    let all = [
        apply(left.low, right.low)?,
        apply(left.low, right.high)?,
        apply(left.high, right.low)?,
        apply(left.high, right.high)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// The largest offset into an object, and one more.
pub(crate) fn offset_end(model: DataModel) -> i128 {
    1_i128 << model.offset_bits()
}
