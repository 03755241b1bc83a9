//! The operations of terms and what they compute, as in the theory of fixed-size bit-vectors of SMT-LIB.

/// An operation on bit-vectors. Both arguments of a binary one have the same width, except for `Concatenate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    Not,
    Negate,
    And,
    Or,
    Xor,
    Add,
    Subtract,
    Multiply,
    /// All ones if the divisor is zero.
    DivideUnsigned,
    /// The dividend if the divisor is zero.
    RemainderUnsigned,
    /// Toward zero. By zero: 1 if the dividend is negative, else all ones.
    DivideSigned,
    /// Has the sign of the dividend. The dividend if the divisor is zero.
    RemainderSigned,
    /// Zero if the amount is at least the width.
    ShiftLeft,
    ShiftRightLogical,
    /// Copies of the sign if the amount is at least the width.
    ShiftRightArithmetic,
    Equal,
    LessUnsigned,
    LessEqualUnsigned,
    LessSigned,
    LessEqualSigned,
    /// Whether the exact product has more bits than the arguments. An operation of its own, because terms have no
    /// 256 bits to compute the product of 128-bit numbers in.
    MultiplyOverflowsUnsigned,
    MultiplyOverflowsSigned,
    IfThenElse,
    /// The first argument gives the high bits.
    Concatenate,
    /// As many bits as the result is wide, from this one upwards.
    Extract {
        low: u8,
    },
    ZeroExtend,
    SignExtend,
}

impl Operation {
    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Operation::Not
            | Operation::Negate
            | Operation::Extract { .. }
            | Operation::ZeroExtend
            | Operation::SignExtend => 1,
            Operation::And
            | Operation::Or
            | Operation::Xor
            | Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::DivideUnsigned
            | Operation::RemainderUnsigned
            | Operation::DivideSigned
            | Operation::RemainderSigned
            | Operation::ShiftLeft
            | Operation::ShiftRightLogical
            | Operation::ShiftRightArithmetic
            | Operation::Equal
            | Operation::LessUnsigned
            | Operation::LessEqualUnsigned
            | Operation::LessSigned
            | Operation::LessEqualSigned
            | Operation::MultiplyOverflowsUnsigned
            | Operation::MultiplyOverflowsSigned
            | Operation::Concatenate => 2,
            Operation::IfThenElse => 3,
        }
    }

    /// Whether the arguments can change places.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Operation::And
                | Operation::Or
                | Operation::Xor
                | Operation::Add
                | Operation::Multiply
                | Operation::Equal
                | Operation::MultiplyOverflowsUnsigned
                | Operation::MultiplyOverflowsSigned
        )
    }

    /// Whether the result is a truth value, whatever the width of the arguments.
    pub fn is_predicate(self) -> bool {
        matches!(
            self,
            Operation::Equal
                | Operation::LessUnsigned
                | Operation::LessEqualUnsigned
                | Operation::LessSigned
                | Operation::LessEqualSigned
                | Operation::MultiplyOverflowsUnsigned
                | Operation::MultiplyOverflowsSigned
        )
    }
}

/// Bits and how many of them count; the others are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitVector {
    pub bits: u128,
    pub width: u32,
}

impl BitVector {
    pub fn is_negative(self) -> bool {
        self.bits >> (self.width - 1) & 1 == 1
    }

    /// The number in two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        (self.bits << unused).cast_signed() >> unused
    }
}

/// The number that has its lowest `width` bits set.
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// What an operation computes. The only definition: simplification, evaluation and tests all call it.
///
/// `width` is that of the result.
pub fn evaluate_operation(operation: Operation, width: u32, arguments: &[BitVector]) -> u128 {
    debug_assert_eq!(arguments.len(), operation.arity());
    let first = arguments[0];
    let second = arguments.get(1).copied().unwrap_or(first);
    let (a, b) = (first.bits, second.bits);
    let result = match operation {
        Operation::Not => !a,
        Operation::Negate => a.wrapping_neg(),
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::Add => a.wrapping_add(b),
        Operation::Subtract => a.wrapping_sub(b),
        Operation::Multiply => a.wrapping_mul(b),
        Operation::DivideUnsigned => a.checked_div(b).unwrap_or(u128::MAX),
        Operation::RemainderUnsigned => a.checked_rem(b).unwrap_or(a),
        Operation::DivideSigned if b == 0 => {
            if first.is_negative() {
                1
            } else {
                u128::MAX
            }
        }
        Operation::DivideSigned => first.signed().wrapping_div(second.signed()).cast_unsigned(),
        Operation::RemainderSigned if b == 0 => a,
        Operation::RemainderSigned => first.signed().wrapping_rem(second.signed()).cast_unsigned(),
        Operation::ShiftLeft => in_range(b, width).map_or(0, |amount| a << amount),
        Operation::ShiftRightLogical => in_range(b, width).map_or(0, |amount| a >> amount),
        Operation::ShiftRightArithmetic => {
            let amount = in_range(b, width).unwrap_or(width - 1);
            (first.signed() >> amount).cast_unsigned()
        }
        Operation::Equal => u128::from(a == b),
        Operation::LessUnsigned => u128::from(a < b),
        Operation::LessEqualUnsigned => u128::from(a <= b),
        Operation::LessSigned => u128::from(first.signed() < second.signed()),
        Operation::LessEqualSigned => u128::from(first.signed() <= second.signed()),
        Operation::MultiplyOverflowsUnsigned => u128::from(
            a.checked_mul(b)
                .is_none_or(|product| product > mask(first.width)),
        ),
        Operation::MultiplyOverflowsSigned => u128::from(
            first
                .signed()
                .checked_mul(second.signed())
                .is_none_or(|product| !fits(product, first.width)),
        ),
        Operation::IfThenElse => {
            if a == 1 {
                b
            } else {
                arguments[2].bits
            }
        }
        Operation::Concatenate => a << second.width | b,
        Operation::Extract { low } => a >> low,
        Operation::ZeroExtend => a,
        Operation::SignExtend => first.signed().cast_unsigned(),
    };
    result & mask(width)
}

fn in_range(amount: u128, width: u32) -> Option<u32> {
    u32::try_from(amount).ok().filter(|&amount| amount < width)
}

/// Whether a number is one of those that `width` bits hold in two's complement.
fn fits(number: i128, width: u32) -> bool {
    let unused = 128 - width;
    (number << unused) >> unused == number
}
