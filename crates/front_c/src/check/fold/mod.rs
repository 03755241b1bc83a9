//! Constants: what an expression is worth before the program runs.
//!
//! Here are expressions and places; `operators`: what is made of constants; `numbers`: how C computes with numbers.

mod numbers;
mod operators;

use raddle_c_syntax::tree;
use raddle_ir::IntType;

use super::{Checked, Checker};
use crate::typed::{AddressBase, ConstantValue, Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{FloatKind, Type};

use numbers::signed;

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
                let is_true = self.truth(self.fold(operand)?)?;
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
                if !self.truth(self.fold(left)?)? {
                    return Some(Constant::Integer(0));
                }
                Some(Constant::Integer(u128::from(
                    self.truth(self.fold(right)?)?,
                )))
            }
            ExpressionKind::LogicalOr(left, right) => {
                if self.truth(self.fold(left)?)? {
                    return Some(Constant::Integer(1));
                }
                Some(Constant::Integer(u128::from(
                    self.truth(self.fold(right)?)?,
                )))
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                if self.truth(self.fold(condition)?)? {
                    self.fold(then)
                } else {
                    self.fold(otherwise)
                }
            }
            ExpressionKind::Elvis(first, second) => {
                let first_value = self.fold(first)?;
                if self.truth(first_value)? {
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

    /// Whether a constant is true, if that is known: a weak name may be at address zero.
    fn truth(&self, constant: Constant) -> Option<bool> {
        let is_weak = match constant {
            Constant::Address(base, _) => self.may_be_null(base),
            Constant::Integer(_) | Constant::Float(_) => false,
        };
        (!is_weak).then(|| truth(constant))
    }

    fn may_be_null(&self, base: AddressBase) -> bool {
        match base {
            AddressBase::Function(id) => {
                let symbol = &self.function_facts[raddle_base::Id::index(id)].symbol;
                symbol.weak_unit.is_some() || symbol.alias.is_some()
            }
            AddressBase::Object(id) => {
                let symbol = &self.object_facts[raddle_base::Id::index(id)].symbol;
                symbol.weak_unit.is_some() || symbol.alias.is_some()
            }
            AddressBase::Label(..) => false,
        }
    }

    /// The address of a place.
    pub(super) fn fold_place(&self, place: &Lvalue) -> Option<Constant> {
        match &place.kind {
            LvalueKind::Object(id) => {
                if self.objects[*id].is_thread_local {
                    return None;
                }
                Some(Constant::Address(AddressBase::Object(*id), 0))
            }
            LvalueKind::Dereference(pointer) => self.fold(pointer),
            LvalueKind::Field(inner, offset, None) => match self.fold_place(inner)? {
                Constant::Integer(bits) => Some(Constant::Integer(
                    bits.wrapping_add(u128::from(*offset)) & self.model.unsigned_word().mask(),
                )),
                Constant::Address(base, start) => Some(Constant::Address(
                    base,
                    start.checked_add(i64::try_from(*offset).ok()?)?,
                )),
                Constant::Float(_) => None,
            },
            LvalueKind::Field(_, _, Some(_))
            | LvalueKind::Local(_)
            | LvalueKind::CompoundLiteral(..)
            | LvalueKind::Value(..) => None,
        }
    }

    /// gcc takes the value of a constant object, and of a character of a literal, for a constant.
    fn constant_load(&self, place: &Lvalue) -> Option<Constant> {
        if !place.ty.is_const && !matches!(place.kind, LvalueKind::Dereference(_)) {
            return None;
        }
        let Constant::Address(AddressBase::Object(id), offset) = self.fold_place(place)? else {
            return None;
        };
        let object = &self.objects[id];
        let symbol = &self.object_facts[raddle_base::Id::index(id)].symbol;
        if place.ty.is_volatile || !object.is_defined || symbol.weak_unit.is_some() {
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
}

pub(super) fn truth(constant: Constant) -> bool {
    match constant {
        Constant::Integer(bits) => bits != 0,
        Constant::Float(value) => value != 0.0,
        Constant::Address(..) => true,
    }
}
