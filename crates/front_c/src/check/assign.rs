//! Assignments, `+=` and the like, `++` and `--`.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, BinaryOperator};

use super::convert::Operand;
use super::operator::{arithmetic_of, needs_integers, symbol};
use super::{Checked, Checker};
use crate::typed::{Arithmetic, Expression, ExpressionKind, Lvalue, LvalueKind, Update};
use crate::types::{IntegerKind, Type};

impl Checker {
    /// The operand as something that may be assigned to.
    fn assignable(&mut self, operand: Operand) -> Checked<Lvalue> {
        let place = match operand {
            Operand::Lvalue(place) => place,
            Operand::Value(value) | Operand::Function(value) => {
                // A conditional or comma of records, or the result of a call.
                return Err(self.error(value.span, "this cannot be assigned to"));
            }
        };
        if let LvalueKind::Value(..) = place.kind {
            return Err(self.error(place.span, "this cannot be assigned to"));
        }
        if let Type::Array(..) = place.ty.ty {
            return Err(self.error(place.span, "an array cannot be assigned to"));
        }
        if place.ty.is_const {
            let what = self.describe(&place);
            return Err(self.error(place.span, format!("{what} is constant")));
        }
        if !self.is_complete(&place.ty.ty) {
            let text = self.show(&place.ty.ty);
            let message = format!("something of the incomplete type `{text}` is assigned to");
            return Err(self.error(place.span, message));
        }
        Ok(place)
    }

    fn describe(&self, place: &Lvalue) -> String {
        match &place.kind {
            LvalueKind::Local(id) => format!("`{}`", self.function.locals[*id].name),
            LvalueKind::Object(id) => format!("`{}`", self.objects[*id].name),
            LvalueKind::Field(inner, offset, bits) => {
                if let Type::Record(record) = inner.ty.ty
                    && let Some(name) = self.records[record]
                        .fields
                        .iter()
                        .find(|field| field.offset == *offset && field.bits == *bits)
                        .and_then(|field| field.name.as_ref())
                {
                    return format!("the member `{name}`");
                }
                "this member".into()
            }
            LvalueKind::Dereference(_)
            | LvalueKind::CompoundLiteral(..)
            | LvalueKind::Value(..) => "this place".into(),
        }
    }

    pub(super) fn assign(
        &mut self,
        operator: Option<BinaryOperator>,
        left: &tree::Expression,
        right: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let left = self.operand(left);
        let right = self.value(right);
        let place = self.assignable(left?)?;
        let right = right?;
        match operator {
            None => {
                let value =
                    self.assign_convert(right, &place.ty.ty.clone(), "the assigned value")?;
                Ok(Expression {
                    ty: place.ty.ty.clone(),
                    kind: ExpressionKind::Assign(Box::new(place), Box::new(value)),
                    span,
                })
            }
            Some(operator) => {
                let Some(operator) = arithmetic_of(operator) else {
                    return Err(self.error(span, "no such operator of assignment"));
                };
                self.update(place, operator, right, false, span)
            }
        }
    }

    fn update(
        &mut self,
        place: Lvalue,
        operator: Arithmetic,
        operand: Expression,
        gives_old: bool,
        span: Span,
    ) -> Checked<Expression> {
        let ty = place.ty.ty.clone();
        let update = match (&ty, &operand.ty) {
            (Type::Unmodelled(_), _) | (_, Type::Unmodelled(_)) => {
                return Ok(self.not_modelled(&ty.clone(), ty, span));
            }
            (Type::Pointer(target), index)
                if self.is_integer(index)
                    && matches!(operator, Arithmetic::Add | Arithmetic::Subtract) =>
            {
                let target = target.ty.clone();
                let size = self.element_size(&target, span)?;
                Update::Pointer {
                    index: Box::new(self.promote(operand)),
                    size: Box::new(size),
                    is_subtract: operator == Arithmetic::Subtract,
                }
            }
            (left, right)
                if if needs_integers(operator) {
                    self.is_integer(left) && self.is_integer(right)
                } else {
                    self.is_arithmetic(left) && self.is_arithmetic(right)
                } =>
            {
                let bits = match &place.kind {
                    LvalueKind::Field(_, _, bits) => *bits,
                    _ => None,
                };
                let promoted = self.promoted_as(&ty, bits);
                let operand = self.promote(operand);
                let is_shift = matches!(operator, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
                let computed_as = if is_shift {
                    promoted
                } else {
                    self.common_type(&promoted, &operand.ty)
                };
                let operand = if is_shift {
                    operand
                } else {
                    self.convert(operand, &computed_as)
                };
                Update::Arithmetic {
                    operator,
                    operand: Box::new(operand),
                    computed_as,
                }
            }
            (left, right) => {
                let (left, right) = (self.show(left), self.show(right));
                let message = format!(
                    "`{}=` is not for operands of types `{left}` and `{right}`",
                    symbol(operator)
                );
                return Err(self.error(span, message));
            }
        };
        Ok(Expression {
            ty,
            kind: ExpressionKind::Update {
                place: Box::new(place),
                update,
                gives_old,
            },
            span,
        })
    }

    pub(super) fn increment(
        &mut self,
        operand: &tree::Expression,
        is_decrement: bool,
        is_prefix: bool,
        span: Span,
    ) -> Checked<Expression> {
        let operand = self.operand(operand)?;
        let place = self.assignable(operand)?;
        let one = match &place.ty.ty {
            Type::Float(kind) => Expression {
                ty: Type::Float(*kind),
                kind: ExpressionKind::Float(1.0),
                span,
            },
            _ => Expression {
                ty: Type::Integer(IntegerKind::Int),
                kind: ExpressionKind::Integer(1),
                span,
            },
        };
        let operator = if is_decrement {
            Arithmetic::Subtract
        } else {
            Arithmetic::Add
        };
        self.update(place, operator, one, !is_prefix, span)
    }
}
