//! What a condition tells of the registers, once it is known to hold.

use raddle_base::Id;
use raddle_ir::{BinaryOp, Expression, Scalar, UnaryOp};

use crate::call_graph::InstanceId;

use super::{Registers, Standing};

impl Registers<'_, '_> {
    /// Takes over what a condition tells if it has the given truth; whether it can have it.
    pub(super) fn refine(
        &self,
        instance: InstanceId,
        with: &mut Standing,
        condition: &Expression,
        truth: bool,
        depth: u32,
    ) -> bool {
        let known = self.evaluate(instance, with, condition);
        if known.is_defined && !known.contains(i128::from(truth)) {
            return false;
        }
        if depth > 20 {
            return true;
        }
        match condition {
            Expression::Unary(UnaryOp::Not, inner) => {
                return self.refine(instance, with, inner, !truth, depth + 1);
            }
            Expression::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
                if truth == (*op == BinaryOp::And)
                    && self.scalar(instance, left) == Scalar::BOOL =>
            {
                return self.refine(instance, with, left, truth, depth + 1)
                    && self.refine(instance, with, right, truth, depth + 1);
            }
            // Written by front ends for `and` that looks at its right side only if it must, and for `or`.
            Expression::Select(first, then, otherwise) => {
                if let Expression::Constant(bits, Scalar::BOOL) = **otherwise
                    && (bits == 1) != truth
                {
                    return self.refine(instance, with, first, true, depth + 1)
                        && self.refine(instance, with, then, truth, depth + 1);
                }
                if let Expression::Constant(bits, Scalar::BOOL) = **then
                    && (bits == 1) != truth
                {
                    return self.refine(instance, with, first, false, depth + 1)
                        && self.refine(instance, with, otherwise, truth, depth + 1);
                }
            }
            Expression::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right)
                if truth == (*op == BinaryOp::NotEqual)
                    && matches!(**right, Expression::Constant(0, _))
                    && let Expression::Unary(UnaryOp::IsSet, operand) = &**left
                    && let Expression::Register(register) = **operand =>
            {
                // As in programs where unset values are any values.
                if let Some(known) = with.registers.get_mut(register.index()) {
                    known.is_defined = true;
                }
            }
            Expression::Binary(op, left, right) if op.is_comparison() => {
                let op = if truth { *op } else { negated(*op) };
                self.bound(instance, with, left, op, right);
                self.bound(instance, with, right, mirrored(op), left);
                self.bound_difference(instance, with, left, op, right);
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..) => {}
        }
        true
    }

    /// `left op right` holds: what that tells of a register on the left.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
    fn bound(
        &self,
        instance: InstanceId,
        with: &mut Standing,
        left: &Expression,
        op: BinaryOp,
        right: &Expression,
    ) {
        let other = self.evaluate(instance, with, right);
        let (register, is_cast) = match left {
            Expression::Register(register) => (*register, false),
            // A number that was widened is the same number.
            Expression::Cast(Scalar::Int(to), inner) => {
                match (&**inner, self.scalar(instance, inner)) {
                    (Expression::Register(register), Scalar::Int(from))
                        if to.bits > from.bits && (to.is_signed || !from.is_signed) =>
                    {
                        (*register, true)
                    }
                    (_, _) => return,
                }
            }
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => return,
        };
        let known = &mut with.registers[register.index()];
        match self.scalar(instance, left) {
            Scalar::Int(int) if int.bits <= 64 && other.low <= other.high => {
                let (mut low, mut high) = (known.low, known.high);
                match op {
                    BinaryOp::Less => high = high.min(other.high - 1),
                    BinaryOp::LessEqual => high = high.min(other.high),
                    BinaryOp::Greater => low = low.max(other.low + 1),
                    BinaryOp::GreaterEqual => low = low.max(other.low),
                    BinaryOp::Equal => {
                        low = low.max(other.low);
                        high = high.min(other.high);
                    }
                    BinaryOp::NotEqual if other.low == other.high => {
                        if low == other.low {
                            low += 1;
                        } else if high == other.low {
                            high -= 1;
                        }
                    }
                    _ => {}
                }
                // An empty range would mean that nobody gets here; that is told elsewhere.
                if low <= high {
                    (known.low, known.high) = (low, high);
                }
            }
            Scalar::Pointer if !is_cast => {
                let is_null = matches!(right, Expression::Constant(0, Scalar::Pointer));
                if op == BinaryOp::NotEqual && is_null
                    || op == BinaryOp::Equal && other.is_not_null && other.is_defined
                {
                    known.is_not_null = true;
                }
            }
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => {}
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        other => other,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
