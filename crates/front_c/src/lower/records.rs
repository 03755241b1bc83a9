//! Structs and unions as wholes: they live in memory and are copied part by part.

use raddle_base::Span;
use raddle_ir::{Access, Action, BinaryOp, Expression, IntType, Scalar};

use crate::typed::{self, ExpressionKind};
use crate::types::Type;

use super::body::{FunctionLowering, Value};
use super::lifetimes::begun_by;
use super::objects::{MOST_CHUNKS, chunks};

const BYTE: Scalar = Scalar::Int(IntType::unsigned(8));

impl FunctionLowering<'_, '_> {
    /// Evaluates a record; gives the address of memory that holds it, which nobody but the reader may change.
    pub(super) fn record(&mut self, expression: &typed::Expression) -> Value {
        let span = expression.span;
        match &expression.kind {
            // What is read at once, or was written at once, may be other by the time that it is used.
            ExpressionKind::Load(place) | ExpressionKind::Assign(place, _)
                if place.ty.is_atomic =>
            {
                self.record_in_buffer(expression)
            }
            ExpressionKind::Atomic(_) => self.record_in_buffer(expression),
            ExpressionKind::Load(place) => self.address(place),
            ExpressionKind::Assign(place, value) => {
                self.in_open_order_with_place(place, value, span);
                let to = self.address(place);
                let to = self.in_temporary(to, span);
                if !self.assign_locks(&to, false, value, span) {
                    self.record_to(to.clone(), false, value);
                }
                to
            }
            ExpressionKind::Call(callee, arguments) => {
                let buffer = self.stack_object("value", &expression.ty);
                let buffer: Value = Expression::Register(buffer).into();
                self.call(
                    callee,
                    arguments,
                    Some(buffer.clone()),
                    &expression.ty,
                    true,
                    span,
                );
                buffer
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let branches = [&**then, &**otherwise];
                self.chosen(condition, branches, Scalar::Pointer, span, Self::record)
            }
            ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.record(second)
            }
            ExpressionKind::Statements(statements, Some(last)) => {
                let owned = self.lifetimes.of_block(statements, Some(last));
                if owned.is_empty() && !statements.iter().any(|it| begun_by(it).is_some()) {
                    self.statements(statements);
                    return self.record(last);
                }
                // What it lies in may end with the block.
                self.record_in_buffer(expression)
            }
            ExpressionKind::VaArg(list) => self.next_argument(list, &expression.ty, span),
            ExpressionKind::Cast(inner) => self.record(inner),
            ExpressionKind::Unsupported(what) => {
                self.unsupported(what, span);
                let buffer = self.stack_object("value", &expression.ty);
                Expression::Register(buffer).into()
            }
            _ => {
                self.unsupported("a value of a type that is not modelled", span);
                let buffer = self.stack_object("value", &expression.ty);
                Expression::Register(buffer).into()
            }
        }
    }

    fn record_in_buffer(&mut self, expression: &typed::Expression) -> Value {
        let buffer = self.stack_object("value", &expression.ty);
        let buffer: Value = Expression::Register(buffer).into();
        self.record_to(buffer.clone(), false, expression);
        buffer
    }

    /// Copies a record from one address to another. A lock in it is not copied: what lies there is none (POSIX 2.9.9).
    pub(super) fn copy(&mut self, to: Value, from: Value, ty: &Type, span: Span) {
        if to.expression == from.expression {
            return;
        }
        let to = self.in_temporary(to, span);
        let from = self.in_temporary(from, span);
        let size = self.lowering.size(ty);
        // Of what is large, not even the list of its parts is made.
        let parts = if size > 16 * MOST_CHUNKS {
            None
        } else {
            Some(chunks(self.lowering, ty)).filter(|it| it.len() as u64 <= MOST_CHUNKS)
        };
        match parts {
            Some(parts) => {
                for (offset, scalar) in parts {
                    let source = self.displaced(from.clone(), offset, span);
                    let loaded = self.load_scalar(source, scalar, Access::Plain, span);
                    let target = self.displaced(to.clone(), offset, span);
                    self.store_scalar(target, loaded, scalar, Access::Plain, span);
                }
            }
            None => self.for_each_byte(size, span, |this, offset| {
                let source = this.binary(BinaryOp::Offset, from.clone(), offset.clone(), span);
                let loaded = this.load_scalar(source, BYTE, Access::Plain, span);
                let target = this.binary(BinaryOp::Offset, to.clone(), offset, span);
                this.store_scalar(target, loaded, BYTE, Access::Plain, span);
            }),
        }
    }

    /// Writes zeros.
    pub(super) fn clear(&mut self, address: &Value, ty: &Type, span: Span) {
        let size = self.lowering.size(ty);
        let zero = |scalar: Scalar| -> Value { Expression::Constant(0, scalar).into() };
        let parts = if size > 16 * MOST_CHUNKS {
            None
        } else {
            Some(chunks(self.lowering, ty)).filter(|it| it.len() as u64 <= MOST_CHUNKS)
        };
        match parts {
            Some(parts) => {
                for (offset, scalar) in parts {
                    let target = self.displaced(address.clone(), offset, span);
                    self.store_scalar(target, zero(scalar), scalar, Access::Plain, span);
                }
            }
            None => self.for_each_byte(size, span, |this, offset| {
                let target = this.binary(BinaryOp::Offset, address.clone(), offset, span);
                this.store_scalar(target, zero(BYTE), BYTE, Access::Plain, span);
            }),
        }
    }

    /// A loop over the bytes of something large.
    pub(super) fn for_each_byte(
        &mut self,
        size: u64,
        span: Span,
        each: impl FnOnce(&mut Self, Value),
    ) {
        let word = Scalar::Int(self.lowering.model().signed_word());
        let constant =
            |number: u64| -> Value { Expression::Constant(u128::from(number), word).into() };
        let counter = self.temporary(word);
        let offset: Value = Expression::Register(counter).into();
        self.assign(counter, constant(0), span);
        let (head, round, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.connect(Action::skip(), head, Some(span));
        self.here = head;
        let goes_on = self.binary(BinaryOp::Less, offset.clone(), constant(size), span);
        self.branch(goes_on, round, end, span);
        self.here = round;
        each(self, offset.clone());
        let next = self.binary(BinaryOp::AddWrapping, offset, constant(1), span);
        self.connect(
            Action::Assign {
                target: counter,
                value: next.expression,
            },
            head,
            Some(span),
        );
        self.here = end;
    }
}
