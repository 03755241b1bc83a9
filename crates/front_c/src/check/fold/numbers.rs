//! Numbers as C computes with them before the program runs.

use raddle_ir::IntType;

use crate::typed::Arithmetic;
use crate::types::FloatKind;

use super::Overflow;

pub(super) fn signed(bits: u128, int: IntType) -> i128 {
    let bits = bits & int.mask();
    if int.is_signed && int.bits < 128 && bits >> (int.bits - 1) & 1 == 1 {
        (bits | !int.mask()).cast_signed()
    } else {
        bits.cast_signed()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to float is what is wanted"
)]
pub(super) fn to_float(value: f64) -> f64 {
    f64::from(value as f32)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "conversion rounds to nearest, as C's does"
)]
pub(super) fn integer_to_float(bits: u128, int: IntType, kind: FloatKind) -> f64 {
    let is_float = kind == FloatKind::Float;
    if int.is_signed {
        let value = signed(bits, int);
        if is_float {
            f64::from(value as f32)
        } else {
            value as f64
        }
    } else if is_float {
        f64::from(bits as f32)
    } else {
        bits as f64
    }
}

/// `None` if the value does not fit: C leaves that undefined.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked; the fraction is to be cut"
)]
pub(super) fn float_to_integer(value: f64, int: IntType) -> Option<u128> {
    if value.is_nan() {
        return None;
    }
    let cut = value.trunc();
    if cut < 0.0 {
        let number = cut as i128;
        (number >= int.min()).then_some(number.cast_unsigned() & int.mask())
    } else {
        let number = cut as u128;
        (cut < 3.5e38 && number <= int.max()).then_some(number)
    }
}

pub(super) fn fold_integers(
    operator: Arithmetic,
    left: u128,
    right: u128,
    int: IntType,
    right_int: IntType,
    overflow: Overflow,
) -> Option<u128> {
    let (a, b) = (signed(left, int), signed(right, int));
    let is_signed = int.is_signed;
    // What the exact result is, if it fits 128 bits.
    let (wrapped, exact): (u128, Option<i128>) = match operator {
        Arithmetic::Add => (left.wrapping_add(right), a.checked_add(b)),
        Arithmetic::Subtract => (left.wrapping_sub(right), a.checked_sub(b)),
        Arithmetic::Multiply => (left.wrapping_mul(right), a.checked_mul(b)),
        Arithmetic::Divide | Arithmetic::Remainder => {
            if right == 0 {
                return None;
            }
            let is_divide = operator == Arithmetic::Divide;
            if is_signed {
                if a == int.min() && b == -1 {
                    return None;
                }
                let result = if is_divide { a / b } else { a % b };
                (result.cast_unsigned(), Some(result))
            } else {
                let result = if is_divide {
                    left / right
                } else {
                    left % right
                };
                return Some(result & int.mask());
            }
        }
        Arithmetic::And => (left & right, None),
        Arithmetic::Or => (left | right, None),
        Arithmetic::Xor => (left ^ right, None),
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
            let amount = u32::try_from(signed(right, right_int)).ok()?;
            if amount >= u32::from(int.bits) {
                return None;
            }
            if operator == Arithmetic::ShiftRight {
                let result = if is_signed {
                    (a >> amount).cast_unsigned()
                } else {
                    left >> amount
                };
                return Some(result & int.mask());
            }
            let is_exact = !is_signed
                || (a >= 0 && (left << amount) >> amount == left && left << amount <= int.max());
            if overflow == Overflow::Refuse && !is_exact {
                return None;
            }
            return Some((left << amount) & int.mask());
        }
    };
    let result = wrapped & int.mask();
    let is_bitwise = matches!(operator, Arithmetic::And | Arithmetic::Or | Arithmetic::Xor);
    if overflow == Overflow::Refuse
        && is_signed
        && !is_bitwise
        && exact != Some(signed(result, int))
    {
        return None;
    }
    Some(result)
}
