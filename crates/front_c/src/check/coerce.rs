//! Conversions as if by assignment, and casts.

use raddle_base::Span;

use super::convert::bits_of_value;
use super::{Checked, Checker};
use crate::typed::{
    Expression, ExpressionKind, Initial, LocalPiece, Lvalue, LvalueKind, PieceValue,
};
use crate::types::{Qualified, RecordId, Type};

impl Checker {
    /// Converts as an assignment does. `what` is told to the user: "the returned value".
    pub(super) fn assign_convert(
        &mut self,
        value: Expression,
        target: &Type,
        what: &str,
    ) -> Checked<Expression> {
        if value.ty == *target && *target != Type::Void {
            return Ok(value);
        }
        let span = value.span;
        match (target, &value.ty) {
            (Type::Void, _) => Err(self.error(span, "something of type `void` cannot be assigned")),
            (_, Type::Void) => Err(self.error(
                span,
                format!("{what} is of type `void`, where a value is needed"),
            )),
            (Type::Unmodelled(left), Type::Unmodelled(right)) if left.size == right.size => {
                Ok(Expression {
                    ty: target.clone(),
                    ..value
                })
            }
            (Type::Unmodelled(_), from)
                if self.is_scalar(from) || matches!(from, Type::Unmodelled(_)) =>
            {
                Ok(self.not_modelled(&value.ty.clone(), target.clone(), span))
            }
            (to, Type::Unmodelled(_)) if self.is_scalar(to) => {
                Ok(self.not_modelled(&value.ty.clone(), target.clone(), span))
            }
            (Type::Record(left), Type::Record(right)) => {
                // The same type of another unit, or the same struct under another id.
                let (left_record, right_record) = (&self.records[*left], &self.records[*right]);
                if left_record.tag.is_some()
                    && left_record.tag == right_record.tag
                    && left_record.size == right_record.size
                    && self.is_library
                {
                    return Ok(Expression {
                        ty: target.clone(),
                        ..value
                    });
                }
                self.cannot_convert(&value.ty.clone(), target, what, span)
            }
            (Type::Record(id), _) if self.transparent_unions.contains(id) => {
                self.passed_as_union(value, *id, what)
            }
            (to, from) if self.is_arithmetic(to) && self.is_arithmetic(from) => {
                Ok(self.convert(value, target))
            }
            (Type::Pointer(_), Type::Pointer(_)) => Ok(self.convert(value, target)),
            (Type::Bool, Type::Pointer(_)) => Ok(self.convert(value, target)),
            (Type::Pointer(_), from) if self.is_integer(from) => {
                if !matches!(value.kind, ExpressionKind::Integer(0)) {
                    self.warn(span, format!("{what} makes a pointer of an integer"));
                }
                Ok(self.convert(value, target))
            }
            (to, Type::Pointer(_)) if self.is_integer(to) => {
                self.warn(span, format!("{what} makes an integer of a pointer"));
                Ok(self.convert(value, target))
            }
            _ => self.cannot_convert(&value.ty.clone(), target, what, span),
        }
    }

    fn cannot_convert(
        &mut self,
        from: &Type,
        to: &Type,
        what: &str,
        span: Span,
    ) -> Checked<Expression> {
        let (from, to) = (self.show(from), self.show(to));
        Err(self.error(
            span,
            format!("{what} has type `{from}`, but `{to}` is needed"),
        ))
    }

    /// An argument may be any member of such a union.
    fn passed_as_union(
        &mut self,
        value: Expression,
        id: RecordId,
        what: &str,
    ) -> Checked<Expression> {
        let fields: Vec<Qualified> = self.records[id]
            .fields
            .iter()
            .map(|field| field.ty.clone())
            .collect();
        let chosen = fields
            .iter()
            .find(|field| self.are_types_compatible(&field.ty, &value.ty))
            .or_else(|| {
                fields.iter().find(|field| match (&field.ty, &value.ty) {
                    (Type::Pointer(_), Type::Pointer(_)) => true,
                    (Type::Pointer(_), _) => self.is_null_constant(&value),
                    (to, from) => self.is_arithmetic(to) && self.is_arithmetic(from),
                })
            })
            .cloned();
        match chosen {
            Some(field) => {
                let value = self.convert(value, &field.ty);
                Ok(self.record_of(id, value))
            }
            None => self.cannot_convert(&value.ty.clone(), &Type::Record(id), what, value.span),
        }
    }

    /// A record whose first bytes are the value.
    fn record_of(&mut self, id: RecordId, value: Expression) -> Expression {
        let span = value.span;
        let ty = Type::Record(id);
        let local = self.hidden_local(ty.clone().into(), span);
        Expression {
            ty: ty.clone(),
            kind: ExpressionKind::Load(Box::new(Lvalue {
                ty: ty.into(),
                kind: LvalueKind::CompoundLiteral(
                    local,
                    Initial {
                        is_zeroed: true,
                        pieces: vec![LocalPiece {
                            offset: 0,
                            bits: None,
                            value: PieceValue::Expression(value),
                        }],
                    },
                ),
                span,
            })),
            span,
        }
    }

    /// `(type)value`
    pub(super) fn cast(
        &mut self,
        value: Expression,
        target: &Type,
        span: Span,
    ) -> Checked<Expression> {
        let mut value = value;
        value.span = span;
        match (target, &value.ty) {
            (Type::Void, _) => Ok(self.convert(value, target)),
            // After a cast, a bit-field is promoted as any other value of its type.
            (to, from) if to == from && bits_of_value(&value).is_some() => Ok(Expression {
                ty: target.clone(),
                kind: ExpressionKind::Cast(Box::new(value)),
                span,
            }),
            (to, from) if to == from => Ok(value),
            (Type::Record(id), from) if self.records[*id].is_union => {
                let from = from.clone();
                let is_member = self.records[*id]
                    .fields
                    .iter()
                    .any(|field| self.are_types_compatible(&field.ty.ty, &from));
                if is_member {
                    Ok(self.record_of(*id, value))
                } else {
                    self.cannot_convert(&from, target, "the cast value", span)
                }
            }
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => {
                self.cannot_convert(&value.ty.clone(), target, "the cast value", span)
            }
            (to, from)
                if (self.is_scalar(to) || matches!(to, Type::Unmodelled(_)))
                    && (self.is_scalar(from) || matches!(from, Type::Unmodelled(_))) =>
            {
                Ok(self.convert(value, target))
            }
            _ => self.cannot_convert(&value.ty.clone(), target, "the cast value", span),
        }
    }
}
