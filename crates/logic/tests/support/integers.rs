//! The operations on integers of the intermediate representation as terms: result, overflow and fault.

use raddle_ir::{BinaryOp, IntType, RmwOperation, UnaryOp};
use raddle_logic::{TermId, Terms};

pub(crate) const BINARY: [BinaryOp; 21] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::AddWrapping,
    BinaryOp::SubtractWrapping,
    BinaryOp::MultiplyWrapping,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::ShiftLeftWrapping,
    BinaryOp::ShiftRightWrapping,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];

pub(crate) const UNARY: [UnaryOp; 5] = [
    UnaryOp::Negate,
    UnaryOp::NegateWrapping,
    UnaryOp::Not,
    UnaryOp::Settle,
    UnaryOp::IsSet,
];

pub(crate) const RMW: [RmwOperation; 9] = [
    RmwOperation::Exchange,
    RmwOperation::Add,
    RmwOperation::Subtract,
    RmwOperation::And,
    RmwOperation::Or,
    RmwOperation::Xor,
    RmwOperation::Nand,
    RmwOperation::Min,
    RmwOperation::Max,
];

/// What an operation comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computation {
    pub(crate) result: TermId,
    pub(crate) overflows: TermId,
    /// There is no result.
    pub(crate) faults: TermId,
}

fn silent(terms: &mut Terms, result: TermId) -> Computation {
    let no = terms.truth(false);
    Computation {
        result,
        overflows: no,
        faults: no,
    }
}

pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, a: TermId, ty: IntType) -> Computation {
    match op {
        UnaryOp::Negate => {
            let result = terms.negate(a);
            let overflows = terms.negate_overflows_signed(a);
            let signed = terms.truth(ty.is_signed);
            Computation {
                overflows: terms.and(overflows, signed),
                ..silent(terms, result)
            }
        }
        UnaryOp::NegateWrapping => {
            let result = terms.negate(a);
            silent(terms, result)
        }
        UnaryOp::Not => {
            let result = terms.not(a);
            silent(terms, result)
        }
        UnaryOp::Settle => silent(terms, a),
        UnaryOp::IsSet => {
            let one = terms.constant(1, terms.width(a));
            silent(terms, one)
        }
    }
}

pub(crate) fn binary(
    terms: &mut Terms,
    op: BinaryOp,
    a: TermId,
    b: TermId,
    ty: IntType,
    right_type: IntType,
) -> Computation {
    let width = u32::from(ty.bits);
    let is_signed = ty.is_signed;
    let overflows = |terms: &mut Terms, predicate: fn(&mut Terms, TermId, TermId) -> TermId| {
        if is_signed {
            predicate(terms, a, b)
        } else {
            terms.truth(false)
        }
    };
    match op {
        BinaryOp::Add => {
            let result = terms.add(a, b);
            Computation {
                overflows: overflows(terms, Terms::add_overflows_signed),
                ..silent(terms, result)
            }
        }
        BinaryOp::Subtract => {
            let result = terms.subtract(a, b);
            Computation {
                overflows: overflows(terms, Terms::subtract_overflows_signed),
                ..silent(terms, result)
            }
        }
        BinaryOp::Multiply => {
            let result = terms.multiply(a, b);
            Computation {
                overflows: overflows(terms, Terms::multiply_overflows_signed),
                ..silent(terms, result)
            }
        }
        BinaryOp::AddWrapping => {
            let result = terms.add(a, b);
            silent(terms, result)
        }
        BinaryOp::SubtractWrapping => {
            let result = terms.subtract(a, b);
            silent(terms, result)
        }
        BinaryOp::MultiplyWrapping => {
            let result = terms.multiply(a, b);
            silent(terms, result)
        }
        BinaryOp::Divide | BinaryOp::Remainder => {
            let result = match (op == BinaryOp::Divide, is_signed) {
                (true, true) => terms.divide_signed(a, b),
                (true, false) => terms.divide_unsigned(a, b),
                (false, true) => terms.remainder_signed(a, b),
                (false, false) => terms.remainder_unsigned(a, b),
            };
            // A quotient that does not fit has no value either.
            let overflows = overflows(terms, Terms::divide_overflows_signed);
            let is_zero = terms.equals_constant(b, 0);
            Computation {
                result,
                overflows,
                faults: terms.or(is_zero, overflows),
            }
        }
        BinaryOp::And => {
            let result = terms.and(a, b);
            silent(terms, result)
        }
        BinaryOp::Or => {
            let result = terms.or(a, b);
            silent(terms, result)
        }
        BinaryOp::Xor => {
            let result = terms.xor(a, b);
            silent(terms, result)
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let is_amount = terms.is_shift_amount(b, right_type.is_signed, width);
            let amount = terms.shift_amount(b, width);
            let result = shift(terms, op == BinaryOp::ShiftLeft, a, amount, is_signed);
            let overflows = if op == BinaryOp::ShiftLeft && is_signed {
                terms.shift_left_overflows_signed(a, amount)
            } else {
                terms.truth(false)
            };
            Computation {
                result,
                overflows,
                faults: terms.not(is_amount),
            }
        }
        BinaryOp::ShiftLeftWrapping | BinaryOp::ShiftRightWrapping => {
            let amount = terms.shift_amount_modulo(b, width);
            let is_left = op == BinaryOp::ShiftLeftWrapping;
            let result = shift(terms, is_left, a, amount, is_signed);
            silent(terms, result)
        }
        BinaryOp::Equal => {
            let result = terms.equal(a, b);
            silent(terms, result)
        }
        BinaryOp::NotEqual => {
            let result = terms.differ(a, b);
            silent(terms, result)
        }
        BinaryOp::Less => {
            let result = terms.less(a, b, is_signed);
            silent(terms, result)
        }
        BinaryOp::LessEqual => {
            let result = terms.less_equal(a, b, is_signed);
            silent(terms, result)
        }
        BinaryOp::Greater => {
            let result = terms.less(b, a, is_signed);
            silent(terms, result)
        }
        BinaryOp::GreaterEqual => {
            let result = terms.less_equal(b, a, is_signed);
            silent(terms, result)
        }
        BinaryOp::Offset | BinaryOp::Distance => unreachable!("of pointers"),
    }
}

fn shift(terms: &mut Terms, is_left: bool, a: TermId, amount: TermId, is_signed: bool) -> TermId {
    match (is_left, is_signed) {
        (true, _) => terms.shift_left(a, amount),
        (false, true) => terms.shift_right_arithmetic(a, amount),
        (false, false) => terms.shift_right_logical(a, amount),
    }
}

/// The new value of a cell under an atomic read-modify-write.
pub(crate) fn read_modify_write(
    terms: &mut Terms,
    operation: RmwOperation,
    old: TermId,
    operand: TermId,
    ty: IntType,
) -> TermId {
    match operation {
        RmwOperation::Exchange => operand,
        RmwOperation::Add => terms.add(old, operand),
        RmwOperation::Subtract => terms.subtract(old, operand),
        RmwOperation::And => terms.and(old, operand),
        RmwOperation::Or => terms.or(old, operand),
        RmwOperation::Xor => terms.xor(old, operand),
        RmwOperation::Nand => {
            let both = terms.and(old, operand);
            terms.not(both)
        }
        RmwOperation::Min => terms.minimum(old, operand, ty.is_signed),
        RmwOperation::Max => terms.maximum(old, operand, ty.is_signed),
    }
}
