//! Constants: what an expression is worth before the program runs.

use raddle_c_syntax::tree;
use raddle_ir::IntType;

use super::{Checked, Checker};
use crate::typed::{
    AddressBase, Arithmetic, Comparison, ConstantValue, Expression, ExpressionKind, Place,
    PlaceKind,
};
use crate::types::{FloatKind, Type};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// Bits of the expression's type.
    Integer(u128),
    Float(f64),
    Address(AddressBase, i64),
}

/// What to do where the result does not fit: C leaves it undefined, gcc wraps around in constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    Wrap,
    Refuse,
}

impl Checker {
    /// The value of an integer constant expression.
    pub(super) fn constant_expression(&mut self, expression: &tree::Expression) -> Checked<i128> {
        let value = self.value(expression)?;
        if !self.is_integer(&value.ty) {
            return Err(self.error(expression.span, "this must be an integer constant"));
        }
        match self.fold(&value) {
            Some(Constant::Integer(bits)) => Ok(self.signed_value(bits, &value.ty)),
            Some(Constant::Float(_) | Constant::Address(..)) | None => {
                Err(self.error(expression.span, "this must be a constant"))
            }
        }
    }

    /// How the type is represented, if it is an integer, or a pointer as a number.
    pub(super) fn int_type(&self, ty: &Type) -> Option<IntType> {
        match ty {
            Type::Bool => Some(IntType::unsigned(8)),
            Type::Integer(kind) => Some(kind.int_type(self.model)),
            Type::Enumeration(id) => Some(self.enumerations[*id].kind.int_type(self.model)),
            Type::Pointer(_) => Some(self.model.unsigned_word()),
            Type::Void
            | Type::Float(_)
            | Type::Array(..)
            | Type::Function(_)
            | Type::Record(_)
            | Type::Unmodelled(_) => None,
        }
    }

    /// The number that bits of this type mean. Beyond 127 bits, unsigned ones wrap.
    pub(super) fn signed_value(&self, bits: u128, ty: &Type) -> i128 {
        match self.int_type(ty) {
            Some(int) => signed(bits, int),
            None => bits.cast_signed(),
        }
    }

    pub(super) fn bits_of(&self, value: i128, ty: &Type) -> u128 {
        let mask = self.int_type(ty).map_or(u128::MAX, IntType::mask);
        value.cast_unsigned() & mask
    }

    /// The constant that the expression is, if it is one.
    pub(super) fn fold(&self, expression: &Expression) -> Option<Constant> {
        match &expression.kind {
            ExpressionKind::Integer(bits) => Some(Constant::Integer(*bits)),
            ExpressionKind::Float(value) => Some(Constant::Float(*value)),
            ExpressionKind::Load(place) => self.constant_load(place),
            ExpressionKind::AddressOf(place) => self.fold_place(place),
            ExpressionKind::FunctionAddress(id) => {
                Some(Constant::Address(AddressBase::Function(*id), 0))
            }
            ExpressionKind::LabelAddress(label) => {
                let function = self.function.id?;
                Some(Constant::Address(AddressBase::Label(function, *label), 0))
            }
            ExpressionKind::Negate(operand) => {
                self.fold_negate(self.fold(operand)?, &expression.ty)
            }
            ExpressionKind::BitNot(operand) => match self.fold(operand)? {
                Constant::Integer(bits) => {
                    let int = self.int_type(&expression.ty)?;
                    Some(Constant::Integer(!bits & int.mask()))
                }
                Constant::Float(_) | Constant::Address(..) => None,
            },
            ExpressionKind::LogicalNot(operand) => {
                let is_true = truth(self.fold(operand)?);
                Some(Constant::Integer(u128::from(!is_true)))
            }
            ExpressionKind::Arithmetic(operator, left, right) => {
                let left_value = self.fold(left)?;
                let right_value = self.fold(right)?;
                self.fold_arithmetic(
                    *operator,
                    left_value,
                    right_value,
                    &expression.ty,
                    &right.ty,
                    Overflow::Wrap,
                )
            }
            ExpressionKind::Compare(comparison, left, right) => {
                let holds =
                    self.fold_compare(*comparison, self.fold(left)?, self.fold(right)?, &left.ty)?;
                Some(Constant::Integer(u128::from(holds)))
            }
            ExpressionKind::LogicalAnd(left, right) => {
                if !truth(self.fold(left)?) {
                    return Some(Constant::Integer(0));
                }
                Some(Constant::Integer(u128::from(truth(self.fold(right)?))))
            }
            ExpressionKind::LogicalOr(left, right) => {
                if truth(self.fold(left)?) {
                    return Some(Constant::Integer(1));
                }
                Some(Constant::Integer(u128::from(truth(self.fold(right)?))))
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                if truth(self.fold(condition)?) {
                    self.fold(then)
                } else {
                    self.fold(otherwise)
                }
            }
            ExpressionKind::Elvis(first, second) => {
                let first_value = self.fold(first)?;
                if truth(first_value) {
                    self.fold_cast(first_value, &first.ty, &expression.ty)
                } else {
                    self.fold(second)
                }
            }
            ExpressionKind::Comma(left, right) => {
                self.fold(left)?;
                self.fold(right)
            }
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                is_subtract,
            } => {
                let index_value = match self.fold(index)? {
                    Constant::Integer(bits) => self.signed_value(bits, &index.ty),
                    Constant::Float(_) | Constant::Address(..) => return None,
                };
                let Constant::Integer(size) = self.fold(size)? else {
                    return None;
                };
                let bytes = index_value.checked_mul(i128::try_from(size).ok()?)?;
                let bytes = if *is_subtract { -bytes } else { bytes };
                match self.fold(pointer)? {
                    Constant::Integer(bits) => {
                        let sum = bits.cast_signed().wrapping_add(bytes);
                        Some(Constant::Integer(self.bits_of(sum, &expression.ty)))
                    }
                    Constant::Address(base, offset) => {
                        let offset = i128::from(offset).checked_add(bytes)?;
                        Some(Constant::Address(base, i64::try_from(offset).ok()?))
                    }
                    Constant::Float(_) => None,
                }
            }
            ExpressionKind::PointerDifference { left, right, size } => {
                let Constant::Integer(size) = self.fold(size)? else {
                    return None;
                };
                let bytes = match (self.fold(left)?, self.fold(right)?) {
                    (Constant::Integer(left), Constant::Integer(right)) => {
                        let difference = self.bits_of(
                            left.wrapping_sub(right).cast_signed(),
                            &self.difference_type(),
                        );
                        self.signed_value(difference, &self.difference_type())
                    }
                    (Constant::Address(base, left), Constant::Address(other, right))
                        if base == other =>
                    {
                        i128::from(left) - i128::from(right)
                    }
                    _ => return None,
                };
                let size = i128::try_from(size).ok().filter(|size| *size != 0)?;
                Some(Constant::Integer(
                    self.bits_of(bytes / size, &expression.ty),
                ))
            }
            ExpressionKind::Cast(operand) => {
                let value = self.fold(operand)?;
                self.fold_cast(value, &operand.ty, &expression.ty)
            }
            ExpressionKind::Assign(..)
            | ExpressionKind::Update { .. }
            | ExpressionKind::Call(..)
            | ExpressionKind::Statements(..)
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Alloca(_)
            | ExpressionKind::OverflowArithmetic { .. }
            | ExpressionKind::Atomic(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => None,
        }
    }

    /// The address of a place.
    pub(super) fn fold_place(&self, place: &Place) -> Option<Constant> {
        match &place.kind {
            PlaceKind::Object(id) => {
                if self.objects[*id].is_thread_local {
                    return None;
                }
                Some(Constant::Address(AddressBase::Object(*id), 0))
            }
            PlaceKind::Dereference(pointer) => self.fold(pointer),
            PlaceKind::Field(inner, offset, None) => match self.fold_place(inner)? {
                Constant::Integer(bits) => Some(Constant::Integer(
                    bits.wrapping_add(u128::from(*offset)) & self.model.unsigned_word().mask(),
                )),
                Constant::Address(base, start) => Some(Constant::Address(
                    base,
                    start.checked_add(i64::try_from(*offset).ok()?)?,
                )),
                Constant::Float(_) => None,
            },
            PlaceKind::Field(_, _, Some(_))
            | PlaceKind::Local(_)
            | PlaceKind::CompoundLiteral(..)
            | PlaceKind::Value(..) => None,
        }
    }

    /// gcc takes the value of a constant object, and of a character of a literal, for a constant.
    fn constant_load(&self, place: &Place) -> Option<Constant> {
        if !place.ty.is_const && !matches!(place.kind, PlaceKind::Dereference(_)) {
            return None;
        }
        let Constant::Address(AddressBase::Object(id), offset) = self.fold_place(place)? else {
            return None;
        };
        let object = &self.objects[id];
        if place.ty.is_volatile || !object.is_defined {
            return None;
        }
        if object.is_string_literal {
            let [piece] = &object.initial[..] else {
                return None;
            };
            let ConstantValue::Bytes(bytes) = &piece.value else {
                return None;
            };
            let size = usize::try_from(self.size_of(&place.ty.ty)?).ok()?;
            let start = usize::try_from(offset).ok()?;
            let mut value = 0_u128;
            for (index, byte) in bytes.get(start..start + size)?.iter().enumerate() {
                value |= u128::from(*byte) << (8 * index);
            }
            self.int_type(&place.ty.ty)?;
            return Some(Constant::Integer(value));
        }
        if !object.ty.is_const || offset != 0 || object.ty.ty != place.ty.ty {
            return None;
        }
        match &object.initial[..] {
            [piece] => match (&piece.value, &place.ty.ty) {
                (ConstantValue::Bits(bits, _), ty) if self.int_type(ty).is_some() => {
                    Some(Constant::Integer(*bits))
                }
                (ConstantValue::Bits(bits, _), Type::Float(FloatKind::Double)) => {
                    Some(Constant::Float(f64::from_bits(u64::try_from(*bits).ok()?)))
                }
                (ConstantValue::Bits(bits, _), Type::Float(FloatKind::Float)) => {
                    let bits = u32::try_from(*bits).ok()?;
                    Some(Constant::Float(f64::from(f32::from_bits(bits))))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn fold_negate(&self, operand: Constant, ty: &Type) -> Option<Constant> {
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
    pub(super) fn fold_exactly(
        &self,
        operator: Arithmetic,
        left: Constant,
        right: Constant,
        ty: &Type,
        right_ty: &Type,
    ) -> Option<Constant> {
        self.fold_arithmetic(operator, left, right, ty, right_ty, Overflow::Refuse)
    }

    fn fold_arithmetic(
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

    pub(super) fn fold_compare(
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
            (Constant::Address(_, 0), Constant::Integer(0))
            | (Constant::Integer(0), Constant::Address(_, 0)) => match comparison {
                Comparison::Equal => Some(false),
                Comparison::NotEqual => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn fold_cast(&self, value: Constant, from: &Type, to: &Type) -> Option<Constant> {
        match (value, to) {
            (value, Type::Bool) => Some(Constant::Integer(u128::from(truth(value)))),
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

pub(super) fn truth(constant: Constant) -> bool {
    match constant {
        Constant::Integer(bits) => bits != 0,
        Constant::Float(value) => value != 0.0,
        Constant::Address(..) => true,
    }
}

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
fn integer_to_float(bits: u128, int: IntType, kind: FloatKind) -> f64 {
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
fn float_to_integer(value: f64, int: IntType) -> Option<u128> {
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

fn fold_integers(
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
