//! From operands to values: decay, promotions, the usual conversions, conversions as if by assignment, casts.

use raddle_base::Span;
use raddle_c_syntax::tree;

use super::fold::{Constant, truth};
use super::{Checked, Checker};
use crate::typed::{Arithmetic, Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{BitField, FloatKind, IntegerKind, Qualified, Type};

/// What an expression is before it is known how it is used.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// Something that lies somewhere, arrays included.
    Lvalue(Lvalue),
    Value(Expression),
    /// A function, as the pointer to it.
    Function(Expression),
}

impl Operand {
    pub(super) fn span(&self) -> Span {
        match self {
            Operand::Lvalue(place) => place.span,
            Operand::Value(value) | Operand::Function(value) => value.span,
        }
    }
}

impl Checker {
    /// An expression as a value: arrays and functions are pointers, places are read.
    pub(super) fn value(&mut self, expression: &tree::Expression) -> Checked<Expression> {
        let operand = self.operand(expression)?;
        self.rvalue(operand)
    }

    pub(super) fn rvalue(&mut self, operand: Operand) -> Checked<Expression> {
        match operand {
            Operand::Value(value) | Operand::Function(value) => Ok(value),
            Operand::Lvalue(place) => {
                let span = place.span;
                match &place.ty.ty {
                    Type::Array(element, _) => {
                        let ty = Type::Pointer(element.clone());
                        Ok(self.address_of(place, ty))
                    }
                    Type::Void => Ok(self.dropped(Operand::Lvalue(place))),
                    ty if !self.is_complete(ty) => {
                        let text = self.show(ty);
                        Err(self.error(
                            span,
                            format!("a value of the incomplete type `{text}` is used"),
                        ))
                    }
                    ty => Ok(Expression {
                        ty: ty.clone(),
                        kind: ExpressionKind::Load(Box::new(place)),
                        span,
                    }),
                }
            }
        }
    }

    /// The operand is evaluated, and it does not matter if it has no value.
    pub(super) fn dropped(&mut self, operand: Operand) -> Expression {
        match operand {
            Operand::Value(value) | Operand::Function(value) => value,
            Operand::Lvalue(place) => {
                let span = place.span;
                let is_readable = self.is_complete(&place.ty.ty);
                match &place.ty.ty {
                    Type::Array(element, _) => {
                        let ty = Type::Pointer(element.clone());
                        self.address_of(place, ty)
                    }
                    ty if is_readable => Expression {
                        ty: ty.clone(),
                        kind: ExpressionKind::Load(Box::new(place)),
                        span,
                    },
                    _ => {
                        let ty = self.void_pointer();
                        let address = self.address_of(place, ty);
                        self.convert(address, &Type::Void)
                    }
                }
            }
        }
    }

    /// A pointer to the place.
    pub(super) fn address_of(&mut self, place: Lvalue, ty: Type) -> Expression {
        let span = place.span;
        // `&*p` is `p`.
        if let LvalueKind::Dereference(pointer) = place.kind {
            let mut pointer = *pointer;
            pointer.span = span;
            return self.convert(pointer, &ty);
        }
        Expression {
            ty,
            kind: ExpressionKind::AddressOf(Box::new(place)),
            span,
        }
    }

    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    pub(super) fn void_pointer(&self) -> Type {
        Type::Pointer(Qualified::from(Type::Void).into())
    }

    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    pub(super) fn is_integer(&self, ty: &Type) -> bool {
        matches!(ty, Type::Bool | Type::Integer(_) | Type::Enumeration(_))
    }

    pub(super) fn is_arithmetic(&self, ty: &Type) -> bool {
        self.is_integer(ty) || matches!(ty, Type::Float(_))
    }

    pub(super) fn is_scalar(&self, ty: &Type) -> bool {
        self.is_arithmetic(ty) || matches!(ty, Type::Pointer(_))
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(&self, ty: &Type) -> Type {
        let kind = match ty {
            Type::Bool => IntegerKind::Int,
            Type::Integer(kind) => *kind,
            Type::Enumeration(id) => self.enumerations[*id].kind,
            _ => return ty.clone(),
        };
        Type::Integer(match kind {
            IntegerKind::Char
            | IntegerKind::SignedChar
            | IntegerKind::UnsignedChar
            | IntegerKind::Short
            | IntegerKind::UnsignedShort
            | IntegerKind::Int => IntegerKind::Int,
            IntegerKind::UnsignedInt
            | IntegerKind::Long
            | IntegerKind::UnsignedLong
            | IntegerKind::LongLong
            | IntegerKind::UnsignedLongLong
            | IntegerKind::Int128
            | IntegerKind::UnsignedInt128 => kind,
        })
    }

    /// The integer promotions.
    pub(super) fn promote(&self, value: Expression) -> Expression {
        let ty = self.promoted_type_of(&value);
        self.convert(value, &ty)
    }

    pub(super) fn promoted_type_of(&self, value: &Expression) -> Type {
        self.promoted_as(&value.ty, bits_of_value(value))
    }

    /// Bit-fields are promoted by their width.
    pub(super) fn promoted_as(&self, ty: &Type, bits: Option<BitField>) -> Type {
        if !self.is_integer(ty) {
            return ty.clone();
        }
        match bits {
            Some(bits) => {
                let is_signed = self.int_type(ty).is_some_and(|int| int.is_signed);
                if bits.width < 32 || (bits.width == 32 && is_signed) {
                    Type::Integer(IntegerKind::Int)
                } else if bits.width == 32 {
                    Type::Integer(IntegerKind::UnsignedInt)
                } else {
                    self.promoted(ty)
                }
            }
            None => self.promoted(ty),
        }
    }

    /// The promotions of arguments that have no parameter.
    pub(super) fn promote_argument(&self, value: Expression) -> Expression {
        if value.ty == Type::Float(FloatKind::Float) {
            return self.convert(value, &Type::Float(FloatKind::Double));
        }
        self.promote(value)
    }

    /// The usual arithmetic conversions.
    pub(super) fn balance(
        &self,
        left: Expression,
        right: Expression,
    ) -> (Expression, Expression, Type) {
        let wide = self.wider_bit_field(&left, &right);
        let left = self.promote(left);
        let right = self.promote(right);
        let ty = match (self.wide_bit_field(&left), self.wide_bit_field(&right)) {
            // Narrower than the other's type, whose sign counts then.
            (Some(width), None) if self.is_wider(&right.ty, width) => right.ty.clone(),
            (None, Some(width)) if self.is_wider(&left.ty, width) => left.ty.clone(),
            _ => self.common_type(&left.ty, &right.ty),
        };
        let left = self.narrowed(self.convert(left, &ty), wide);
        let right = self.narrowed(self.convert(right, &ty), wide);
        (left, right, ty)
    }

    fn is_wider(&self, ty: &Type, width: u32) -> bool {
        self.int_type(ty)
            .is_some_and(|int| u32::from(int.bits) > width)
    }

    /// Of two promoted arithmetic types.
    pub(super) fn common_type(&self, left: &Type, right: &Type) -> Type {
        match (left, right) {
            (Type::Unmodelled(_), _) => left.clone(),
            (_, Type::Unmodelled(_)) => right.clone(),
            (Type::Float(left), Type::Float(right)) => Type::Float(*left.max(right)),
            (Type::Float(kind), _) | (_, Type::Float(kind)) => Type::Float(*kind),
            (Type::Integer(left), Type::Integer(right)) => {
                Type::Integer(self.common_kind(*left, *right))
            }
            _ => left.clone(),
        }
    }

    fn common_kind(&self, left: IntegerKind, right: IntegerKind) -> IntegerKind {
        if left == right {
            return left;
        }
        let (high, low) = if rank(left) >= rank(right) {
            (left, right)
        } else {
            (right, left)
        };
        if high.is_signed() == low.is_signed() || !high.is_signed() {
            return if rank(high) == rank(low) && !low.is_signed() {
                low
            } else {
                high
            };
        }
        // The signed type has the higher rank, or the same one.
        if high.bits(self.model) > low.bits(self.model) {
            high
        } else {
            to_unsigned(high)
        }
    }

    /// Converts a scalar to a scalar type, or anything to `void`. Constants are converted at once.
    pub(super) fn convert(&self, value: Expression, ty: &Type) -> Expression {
        if value.ty == *ty {
            return value;
        }
        let span = value.span;
        if matches!(ty, Type::Unmodelled(_)) || matches!(value.ty, Type::Unmodelled(_)) {
            if *ty == Type::Void {
                return Expression {
                    ty: Type::Void,
                    kind: ExpressionKind::Cast(Box::new(value)),
                    span,
                };
            }
            return self.not_modelled(&value.ty, ty.clone(), span);
        }
        let constant = match &value.kind {
            ExpressionKind::Integer(bits) => Some(Constant::Integer(*bits)),
            ExpressionKind::Float(number) => Some(Constant::Float(*number)),
            _ => None,
        };
        if let Some(constant) = constant
            && *ty != Type::Void
            && let Some(folded) = self.fold_cast(constant, &value.ty, ty)
            && let Some(kind) = literal(folded)
        {
            return Expression {
                ty: ty.clone(),
                kind,
                span,
            };
        }
        Expression {
            ty: ty.clone(),
            kind: ExpressionKind::Cast(Box::new(value)),
            span,
        }
    }

    /// An operation on a type that is only carried around.
    pub(super) fn not_modelled(&self, what: &Type, result: Type, span: Span) -> Expression {
        let name = match (what, &result) {
            (Type::Unmodelled(unmodelled), _) | (_, Type::Unmodelled(unmodelled)) => {
                unmodelled.name.to_owned()
            }
            _ => self.show(what),
        };
        Expression {
            ty: result,
            kind: ExpressionKind::Unsupported(format!("an operation on `{name}`")),
            span,
        }
    }

    /// A scalar that is asked whether it is zero.
    pub(super) fn condition(&mut self, expression: &tree::Expression) -> Checked<Expression> {
        let value = self.value(expression)?;
        self.truth_value(value)
    }

    pub(super) fn truth_value(&mut self, value: Expression) -> Checked<Expression> {
        if matches!(value.ty, Type::Unmodelled(_)) {
            let int = Type::Integer(IntegerKind::Int);
            return Ok(self.not_modelled(&value.ty.clone(), int, value.span));
        }
        if self.is_scalar(&value.ty) {
            return Ok(value);
        }
        let text = self.show(&value.ty);
        Err(self.error(
            value.span,
            format!("a number or pointer is needed here, this is `{text}`"),
        ))
    }

    pub(super) fn is_null_constant(&self, value: &Expression) -> bool {
        let is_zero = matches!(value.kind, ExpressionKind::Integer(0));
        is_zero
            && match &value.ty {
                Type::Pointer(target) => target.ty == Type::Void,
                ty => self.is_integer(ty),
            }
    }

    /// An operation whose operands are converted already; constants are computed if nothing undefined is hidden by it.
    pub(super) fn arithmetic(
        &self,
        operator: Arithmetic,
        left: Expression,
        right: Expression,
        ty: Type,
        span: Span,
    ) -> Expression {
        if let (Some(left_value), Some(right_value)) = (constant(&left), constant(&right))
            && let Some(folded) =
                self.fold_exactly(operator, left_value, right_value, &ty, &right.ty)
            && let Some(kind) = literal(folded)
        {
            return Expression { ty, kind, span };
        }
        Expression {
            ty,
            kind: ExpressionKind::Arithmetic(operator, Box::new(left), Box::new(right)),
            span,
        }
    }

    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    pub(super) fn int(&self, value: bool, span: Span) -> Expression {
        Expression {
            ty: Type::Integer(IntegerKind::Int),
            kind: ExpressionKind::Integer(u128::from(value)),
            span,
        }
    }

    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    /// Whether a literal is true, if it is one.
    pub(super) fn known_truth(&self, value: &Expression) -> Option<bool> {
        constant(value).map(truth)
    }
}

/// The value of a literal.
pub(super) fn constant(value: &Expression) -> Option<Constant> {
    match &value.kind {
        ExpressionKind::Integer(bits) => Some(Constant::Integer(*bits)),
        ExpressionKind::Float(number) => Some(Constant::Float(*number)),
        _ => None,
    }
}

pub(super) fn literal(constant: Constant) -> Option<ExpressionKind> {
    match constant {
        Constant::Integer(bits) => Some(ExpressionKind::Integer(bits)),
        Constant::Float(value) => Some(ExpressionKind::Float(value)),
        Constant::Address(..) => None,
    }
}

/// The bit-field whose value this is.
pub(super) fn bits_of_value(value: &Expression) -> Option<BitField> {
    match &value.kind {
        ExpressionKind::Load(place)
        | ExpressionKind::Assign(place, _)
        | ExpressionKind::Update { place, .. } => match &place.kind {
            LvalueKind::Field(_, _, bits) => *bits,
            _ => None,
        },
        ExpressionKind::Comma(_, right) => bits_of_value(right),
        _ => None,
    }
}

fn rank(kind: IntegerKind) -> u8 {
    match kind {
        IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 0,
        IntegerKind::Short | IntegerKind::UnsignedShort => 1,
        IntegerKind::Int | IntegerKind::UnsignedInt => 2,
        IntegerKind::Long | IntegerKind::UnsignedLong => 3,
        IntegerKind::LongLong | IntegerKind::UnsignedLongLong => 4,
        IntegerKind::Int128 | IntegerKind::UnsignedInt128 => 5,
    }
}

pub(super) fn to_unsigned(kind: IntegerKind) -> IntegerKind {
    match kind {
        IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => {
            IntegerKind::UnsignedChar
        }
        IntegerKind::Short | IntegerKind::UnsignedShort => IntegerKind::UnsignedShort,
        IntegerKind::Int | IntegerKind::UnsignedInt => IntegerKind::UnsignedInt,
        IntegerKind::Long | IntegerKind::UnsignedLong => IntegerKind::UnsignedLong,
        IntegerKind::LongLong | IntegerKind::UnsignedLongLong => IntegerKind::UnsignedLongLong,
        IntegerKind::Int128 | IntegerKind::UnsignedInt128 => IntegerKind::UnsignedInt128,
    }
}
