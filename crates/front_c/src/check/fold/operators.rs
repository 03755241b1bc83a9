//! What operators make of constants.

use crate::check::Checker;
use crate::typed::{Arithmetic, Comparison};
use crate::types::{FloatKind, Type};

use super::numbers::{float_to_integer, fold_integers, integer_to_float, signed, to_float};
use super::{Constant, Overflow};

impl Checker {
    pub(super) fn fold_negate(&self, operand: Constant, ty: &Type) -> Option<Constant> {
        match operand {
            Constant::Integer(bits) => {
                let int = self.int_type(ty)?;
                Some(Constant::Integer(bits.wrapping_neg() & int.mask()))
            }
            Constant::Float(value) => Some(Constant::Float(-value)),
            Constant::Address(..) => None,
        }
    }

    /// Folds what can be folded without hiding anything that is undefined.
    pub(in crate::check) fn fold_exactly(
        &self,
        operator: Arithmetic,
        left: Constant,
        right: Constant,
        ty: &Type,
        right_ty: &Type,
    ) -> Option<Constant> {
        self.fold_arithmetic(operator, left, right, ty, right_ty, Overflow::Refuse)
    }

    pub(super) fn fold_arithmetic(
        &self,
        operator: Arithmetic,
        left: Constant,
        right: Constant,
        ty: &Type,
        right_ty: &Type,
        overflow: Overflow,
    ) -> Option<Constant> {
        match (left, right) {
            (Constant::Integer(left), Constant::Integer(right)) => {
                let int = self.int_type(ty)?;
                let right_int = self.int_type(right_ty)?;
                fold_integers(operator, left, right, int, right_int, overflow)
                    .map(Constant::Integer)
            }
            (Constant::Float(left), Constant::Float(right)) => {
                let result = match operator {
                    Arithmetic::Multiply => left * right,
                    Arithmetic::Divide => left / right,
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                    Arithmetic::Remainder
                    | Arithmetic::ShiftLeft
                    | Arithmetic::ShiftRight
                    | Arithmetic::And
                    | Arithmetic::Xor
                    | Arithmetic::Or => return None,
                };
                match ty {
                    Type::Float(FloatKind::Float) => Some(Constant::Float(to_float(result))),
                    Type::Float(FloatKind::Double) => Some(Constant::Float(result)),
                    Type::Float(FloatKind::LongDouble) if overflow == Overflow::Wrap => {
                        Some(Constant::Float(result))
                    }
                    _ => None,
                }
            }
            (Constant::Address(base, offset), Constant::Integer(bits)) => {
                let number = i64::try_from(self.signed_value(bits, ty)).ok()?;
                match operator {
                    Arithmetic::Add => Some(Constant::Address(base, offset.checked_add(number)?)),
                    Arithmetic::Subtract => {
                        Some(Constant::Address(base, offset.checked_sub(number)?))
                    }
                    _ => None,
                }
            }
            (Constant::Integer(bits), Constant::Address(base, offset)) => {
                let number = i64::try_from(self.signed_value(bits, ty)).ok()?;
                match operator {
                    Arithmetic::Add => Some(Constant::Address(base, offset.checked_add(number)?)),
                    _ => None,
                }
            }
            (Constant::Address(left, from), Constant::Address(right, to)) if left == right => {
                match operator {
                    Arithmetic::Subtract => Some(Constant::Integer(
                        self.bits_of(i128::from(from) - i128::from(to), ty),
                    )),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(in crate::check) fn fold_compare(
        &self,
        comparison: Comparison,
        left: Constant,
        right: Constant,
        ty: &Type,
    ) -> Option<bool> {
        let holds = |ordering: std::cmp::Ordering| match comparison {
            Comparison::Less => ordering.is_lt(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::LessEqual => ordering.is_le(),
            Comparison::GreaterEqual => ordering.is_ge(),
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
        };
        match (left, right) {
            (Constant::Integer(left), Constant::Integer(right)) => {
                let int = self.int_type(ty)?;
                Some(holds(if int.is_signed {
                    signed(left, int).cmp(&signed(right, int))
                } else {
                    left.cmp(&right)
                }))
            }
            (Constant::Float(left), Constant::Float(right)) => {
                Some(match left.partial_cmp(&right) {
                    Some(ordering) => holds(ordering),
                    None => comparison == Comparison::NotEqual,
                })
            }
            (Constant::Address(left, from), Constant::Address(right, to)) if left == right => {
                Some(holds(from.cmp(&to)))
            }
            // No object lies at zero.
            (Constant::Address(base, 0), Constant::Integer(0))
            | (Constant::Integer(0), Constant::Address(base, 0))
                if !self.may_be_null(base) =>
            {
                match comparison {
                    Comparison::Equal => Some(false),
                    Comparison::NotEqual => Some(true),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(in crate::check) fn fold_cast(
        &self,
        value: Constant,
        from: &Type,
        to: &Type,
    ) -> Option<Constant> {
        match (value, to) {
            (value, Type::Bool) => Some(Constant::Integer(u128::from(self.truth(value)?))),
            (Constant::Integer(bits), Type::Float(kind)) => {
                let int = self.int_type(from)?;
                Some(Constant::Float(integer_to_float(bits, int, *kind)))
            }
            (Constant::Integer(bits), _) => {
                let to = self.int_type(to)?;
                let from = self.int_type(from)?;
                let wide = signed(bits, from).cast_unsigned();
                Some(Constant::Integer(wide & to.mask()))
            }
            (Constant::Float(value), Type::Float(FloatKind::Float)) => {
                Some(Constant::Float(to_float(value)))
            }
            (Constant::Float(value), Type::Float(_)) => Some(Constant::Float(value)),
            (Constant::Float(value), _) => {
                let int = self.int_type(to)?;
                float_to_integer(value, int).map(Constant::Integer)
            }
            (Constant::Address(base, offset), _) => {
                let int = self.int_type(to)?;
                (u32::from(int.bits) >= self.model.pointer_bits())
                    .then_some(Constant::Address(base, offset))
            }
        }
    }
}
