//! Which values of registers an expression tells apart, given what is told apart of its result.
//!
//! Two things come to light when an expression is evaluated: its value, and whether it fails or overflows. The second
//! does so even if nobody looks at the value.

use std::collections::BTreeMap;

use raddle_base::Arena;

use raddle_ir::arithmetic;
use raddle_ir::expression::{BinaryOp, Expression, UnaryOp};
use raddle_ir::program::{Register, RegisterId};
use raddle_ir::types::{DataModel, IntType, Scalar};

use super::partition::{GREATEST_MODULUS, Partition, sign_bit};

/// What is told apart of registers; nothing of those that are missing.
pub(super) type Demands = BTreeMap<RegisterId, Partition>;

/// What is demanded of the registers of one function, or of one formula.
pub(super) struct Demander<'a> {
    pub(super) registers: &'a Arena<RegisterId, Register>,
    pub(super) model: DataModel,
    pub(super) demands: &'a mut Demands,
}

impl Demander<'_> {
    /// Tells apart all values of an expression.
    pub(super) fn everything(&mut self, expression: &Expression) {
        self.demand(expression, &Partition::everything());
    }

    pub(super) fn demand(&mut self, expression: &Expression, told: &Partition) {
        match expression {
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Register(register) => {
                if !told.is_nothing() {
                    self.demands
                        .entry(*register)
                        .and_modify(|known| *known = known.join(told))
                        .or_insert_with(|| told.clone());
                }
            }
            Expression::Unary(op, operand) => {
                let ty = self.scalar(operand);
                self.demand(operand, &before_unary(*op, ty, told));
            }
            Expression::Binary(op, left, right) => self.binary(*op, left, right, told),
            Expression::Cast(to, operand) => {
                let from = self.scalar(operand);
                self.demand(operand, &before_cast(from, *to, told));
            }
            Expression::Select(condition, then, otherwise) => {
                self.everything(condition);
                self.demand(then, told);
                self.demand(otherwise, told);
            }
        }
    }

    fn scalar(&self, expression: &Expression) -> Scalar {
        expression.scalar(self.registers, self.model)
    }

    fn binary(&mut self, op: BinaryOp, left: &Expression, right: &Expression, told: &Partition) {
        let ty = self.scalar(left);
        let of_left = constant(right).and_then(|bits| before_with_right(op, bits, ty, told));
        let of_right = constant(left).and_then(|bits| before_with_left(op, bits, ty, told));
        let otherwise = if is_total(op, ty) {
            told.nothing_or_everything()
        } else {
            Partition::everything()
        };
        self.demand(left, of_left.as_ref().unwrap_or(&otherwise));
        self.demand(right, of_right.as_ref().unwrap_or(&otherwise));
    }
}

/// The bits of an integer, a pointer or a thread that is written down.
pub(super) fn constant(expression: &Expression) -> Option<u128> {
    match expression {
        Expression::Constant(bits, Scalar::Int(_) | Scalar::Pointer | Scalar::Thread) => {
            Some(*bits)
        }
        Expression::Constant(_, Scalar::Float(_))
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Cast(..)
        | Expression::Select(..) => None,
    }
}

fn before_unary(op: UnaryOp, ty: Scalar, told: &Partition) -> Partition {
    match (op, ty) {
        (UnaryOp::Settle, _) => told.clone(),
        (UnaryOp::IsSet, _) => Partition::nothing(),
        (UnaryOp::Negate, Scalar::Int(int)) => {
            with_overflow(int, told, |told| told.before_subtracting_from(0, int))
        }
        (UnaryOp::NegateWrapping, Scalar::Int(int)) => told.before_subtracting_from(0, int),
        (UnaryOp::Not, Scalar::Int(int)) => told.before_subtracting_from(int.mask(), int),
        (
            UnaryOp::Negate | UnaryOp::NegateWrapping | UnaryOp::Not,
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread,
        ) => told.nothing_or_everything(),
    }
}

fn before_cast(from: Scalar, to: Scalar, told: &Partition) -> Partition {
    match (from, to) {
        (Scalar::Int(from), Scalar::Int(to)) => told.before_cast(from, to),
        // A float may not fit, and a pointer shows how objects are numbered.
        (Scalar::Float(_) | Scalar::Pointer, Scalar::Int(_)) => Partition::everything(),
        (Scalar::Thread, Scalar::Int(_))
        | (_, Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => told.nothing_or_everything(),
    }
}

/// What must be told of `x` for `x op bits`; `None` if nothing better is known than for any operand.
fn before_with_right(op: BinaryOp, bits: u128, ty: Scalar, told: &Partition) -> Option<Partition> {
    if op.is_comparison() {
        return before_comparison(op, bits, ty, told);
    }
    let Scalar::Int(int) = ty else { return None };
    let negated = bits.wrapping_neg() & int.mask();
    match op {
        BinaryOp::Add => Some(with_overflow(int, told, |told| {
            told.before_adding(bits, int)
        })),
        BinaryOp::Subtract => Some(with_overflow(int, told, |told| {
            told.before_adding(negated, int)
        })),
        BinaryOp::AddWrapping => Some(told.before_adding(bits, int)),
        BinaryOp::SubtractWrapping => Some(told.before_adding(negated, int)),
        BinaryOp::Remainder => before_remainder(bits, int, told),
        BinaryOp::And => before_and(bits, told),
        BinaryOp::Multiply
        | BinaryOp::MultiplyWrapping
        | BinaryOp::Divide
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Offset
        | BinaryOp::Distance => None,
    }
}

/// What must be told of `x` for `bits op x`; `None` if nothing better is known than for any operand.
fn before_with_left(op: BinaryOp, bits: u128, ty: Scalar, told: &Partition) -> Option<Partition> {
    if op.is_comparison() {
        return before_comparison(mirrored(op), bits, ty, told);
    }
    let Scalar::Int(int) = ty else { return None };
    match op {
        BinaryOp::Add | BinaryOp::AddWrapping | BinaryOp::And => {
            before_with_right(op, bits, ty, told)
        }
        BinaryOp::Subtract => Some(with_overflow(int, told, |told| {
            told.before_subtracting_from(bits, int)
        })),
        BinaryOp::SubtractWrapping => Some(told.before_subtracting_from(bits, int)),
        BinaryOp::Multiply
        | BinaryOp::MultiplyWrapping
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Offset
        | BinaryOp::Distance => None,
    }
}

/// `before` of a signed sum, difference or negation, and whether it overflows: it does where the sign of the operand
/// and the sign of the wrapped result are certain ones, as the other operand is constant.
fn with_overflow(
    int: IntType,
    told: &Partition,
    before: impl Fn(&Partition) -> Partition,
) -> Partition {
    if !int.is_signed {
        return before(told);
    }
    let by_sign = Partition::cut(sign_bit(int));
    before(&told.join(&by_sign)).join(&by_sign)
}

/// Of `x op bits`, where `op` is a comparison.
fn before_comparison(op: BinaryOp, bits: u128, ty: Scalar, told: &Partition) -> Option<Partition> {
    let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
    let signed = match ty {
        Scalar::Int(int) if int.is_signed && !is_equality => Some(int),
        Scalar::Int(_) | Scalar::Thread => None,
        Scalar::Pointer if is_equality => None,
        Scalar::Pointer | Scalar::Float(_) => return None,
    };
    if told.is_nothing() {
        return Some(Partition::nothing());
    }
    // The next one after the greatest of all is 0, where an interval begins anyway.
    let (at, after) = (Partition::cut(bits), Partition::cut(bits.wrapping_add(1)));
    let cuts = if is_equality {
        at.join(&after)
    } else if matches!(op, BinaryOp::Less | BinaryOp::GreaterEqual) {
        at
    } else {
        after
    };
    Some(match signed {
        Some(int) => cuts.join(&Partition::cut(sign_bit(int))),
        None => cuts,
    })
}

/// The comparison that holds of swapped operands.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other comparisons are symmetric"
)]
pub(super) fn mirrored(comparison: BinaryOp) -> BinaryOp {
    match comparison {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        symmetric => symmetric,
    }
}

/// Of `x % bits`: it has the sign of `x` and follows from the remainder that mathematicians mean.
fn before_remainder(bits: u128, int: IntType, told: &Partition) -> Option<Partition> {
    let modulus = if int.is_signed {
        arithmetic::signed_value(bits, int).unsigned_abs()
    } else {
        bits
    };
    // By zero it fails, by -1 it may overflow.
    if !(2..=GREATEST_MODULUS).contains(&modulus) {
        return None;
    }
    if told.is_nothing() {
        return Some(Partition::nothing());
    }
    let by_sign = if int.is_signed {
        Partition::cut(sign_bit(int))
    } else {
        Partition::nothing()
    };
    Some(by_sign.join(&Partition::by_remainder(modulus)))
}

/// Of `x & bits`: it follows from as many low bits of `x` as the constant has.
fn before_and(bits: u128, told: &Partition) -> Option<Partition> {
    if told.is_nothing() {
        return Some(Partition::nothing());
    }
    (bits < GREATEST_MODULUS).then(|| Partition::by_remainder((bits + 1).next_power_of_two()))
}

/// Whether an operation has a result for all operands, and neither overflows nor shows how objects are numbered.
fn is_total(op: BinaryOp, ty: Scalar) -> bool {
    let is_signed = matches!(ty, Scalar::Int(int) if int.is_signed);
    match op {
        BinaryOp::AddWrapping
        | BinaryOp::SubtractWrapping
        | BinaryOp::MultiplyWrapping
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Equal
        | BinaryOp::NotEqual => true,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => !is_signed,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            ty != Scalar::Pointer
        }
        BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Offset
        | BinaryOp::Distance => false,
    }
}
