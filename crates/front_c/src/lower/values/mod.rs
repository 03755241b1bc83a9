//! Scalar expressions: what is computed when.
//!
//! Operands are evaluated from left to right, the place of an assignment before its value; where that can be seen, `order` has
//! evaluated them beforehand in every order. What a pure expression reads from registers may be read later than that: C
//! leaves programs undefined that could tell.
//!
//! Here is the table of all expressions, for their value and for their effects; `conditions`: what is evaluated only if;
//! `arithmetic`: numbers and pointers; `updates`: `a += b`, `a++`.

mod arithmetic;
mod conditions;
mod updates;

use raddle_base::Span;
use raddle_ir::{Access, Action, Expression, Scalar, UnaryOp};

use crate::typed::{self, ExpressionKind, Lvalue};
use crate::types::Type;

use super::body::{FunctionLowering, Value, is_memory};
use super::objects::label_value;
use super::places::is_long_double;
use super::scalars::{self, INT};

impl FunctionLowering<'_, '_> {
    /// Evaluates a scalar.
    pub(super) fn value(&mut self, expression: &typed::Expression) -> Value {
        let span = expression.span;
        let ty = &expression.ty;
        let Some(scalar) = self.lowering.scalar(ty) else {
            // A `void` or a record where a scalar is wanted: only its effects count.
            self.effect(expression);
            return Expression::Constant(0, INT).into();
        };
        if let Some(value) = self.computed(expression) {
            return value;
        }
        if is_long_double(ty) && !matches!(expression.kind, ExpressionKind::Float(_)) {
            if let ExpressionKind::Call(callee, arguments) = &expression.kind {
                self.call(callee, arguments, None, ty, true, span);
            }
            return self.long_double(span);
        }
        match &expression.kind {
            ExpressionKind::Integer(bits) => {
                Expression::Constant(bits & scalar.mask(self.lowering.model()), scalar).into()
            }
            ExpressionKind::Float(value) => scalars::float(*value, scalar).into(),
            ExpressionKind::Load(place) => {
                let spot = self.spot(place);
                self.load(&spot, place, span)
            }
            ExpressionKind::AddressOf(place) => self.address(place),
            ExpressionKind::FunctionAddress(function) => {
                self.lowering.function_address(*function).into()
            }
            ExpressionKind::LabelAddress(label) => {
                Expression::Constant(label_value(*label), Scalar::Pointer).into()
            }
            ExpressionKind::Negate(operand) => {
                let operand = self.value(operand);
                self.unary(UnaryOp::Negate, operand, span)
            }
            ExpressionKind::BitNot(operand) => {
                let operand = self.value(operand);
                self.unary(UnaryOp::Not, operand, span)
            }
            ExpressionKind::LogicalNot(_)
            | ExpressionKind::Compare(..)
            | ExpressionKind::LogicalAnd(..)
            | ExpressionKind::LogicalOr(..) => {
                let condition = self.condition(expression);
                self.convert(condition, scalar, false)
            }
            ExpressionKind::Arithmetic(operator, left, right) => {
                self.in_open_order(&[left, right], span);
                let left = self.value(left);
                let right = self.value(right);
                self.arithmetic(*operator, left, right, span)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, scalar, span)
            }
            ExpressionKind::Elvis(first, second) => self.elvis(first, second, ty, scalar, span),
            ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                is_subtract,
            } => {
                self.in_open_order(&[pointer, index], span);
                let pointer = self.value(pointer);
                self.pointer_add(pointer, index, size, *is_subtract, span)
            }
            ExpressionKind::PointerDifference { left, right, size } => {
                let elements = self.pointer_difference(left, right, size, span);
                self.convert(elements, scalar, false)
            }
            ExpressionKind::Cast(operand) => {
                if self.lowering.scalar(&operand.ty).is_none() {
                    self.effect(operand);
                    self.unsupported("a conversion of a type that is not modelled", span);
                    return Expression::Constant(0, scalar).into();
                }
                let value = self.value(operand);
                self.convert(value, scalar, matches!(ty, Type::Bool))
            }
            ExpressionKind::Assign(place, value) => self.assign_place(place, value, true, span),
            ExpressionKind::Update {
                place,
                update,
                gives_old,
            } => self.update(place, update, Some(*gives_old), scalar, span),
            ExpressionKind::Call(callee, arguments) => self
                .call(callee, arguments, None, ty, true, span)
                .unwrap_or_else(|| Expression::Constant(0, scalar).into()),
            ExpressionKind::Statements(statements, last) => {
                let owned = self.lifetimes.of_block(statements, last.as_deref());
                self.in_scope(owned, Some(span), |this| {
                    this.statements(statements);
                    match last {
                        Some(last) => {
                            // A local of the block ends here; of what a macro made for its value nobody else knows.
                            let value = this.value(last);
                            if this.is_hidden_local(last) {
                                value
                            } else {
                                this.in_temporary(value, span)
                            }
                        }
                        None => Expression::Constant(0, scalar).into(),
                    }
                })
            }
            ExpressionKind::VaArg(list) => {
                let address = self.next_argument(list, ty, span);
                self.load_scalar(address, scalar, Access::Plain, span)
            }
            ExpressionKind::Alloca(bytes) => {
                let size = self.value(bytes);
                let size = self.in_temporary(size, span);
                self.grow_stack(size.clone(), Some(span));
                let target = self.temporary(Scalar::Pointer);
                self.then(
                    Action::Allocate {
                        target,
                        size: size.expression,
                        ty: None,
                        is_zeroed: false,
                        kind: raddle_ir::AllocateKind::Stack,
                        read_only: raddle_ir::ReadOnly::NOTHING,
                    },
                    span,
                );
                Expression::Register(target).into()
            }
            ExpressionKind::OverflowArithmetic {
                operator,
                left,
                right,
                result,
                result_type,
            } => {
                let overflow = self.overflow_arithmetic(
                    *operator,
                    left,
                    right,
                    result.as_deref(),
                    result_type,
                    span,
                );
                self.convert(overflow, scalar, false)
            }
            ExpressionKind::Atomic(atomic) => match self.atomic(atomic, span) {
                Some(value) => self.convert(value, scalar, matches!(ty, Type::Bool)),
                None => Expression::Constant(0, scalar).into(),
            },
            ExpressionKind::VaStart(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => {
                self.effect(expression);
                Expression::Constant(0, scalar).into()
            }
        }
    }

    /// Evaluates for the effects alone.
    pub(super) fn effect(&mut self, expression: &typed::Expression) {
        let span = expression.span;
        if self.computed(expression).is_some() {
            return;
        }
        match &expression.kind {
            ExpressionKind::Call(callee, arguments) => {
                let buffer = is_memory(&expression.ty)
                    .then(|| Expression::Register(self.stack_object("value", &expression.ty)));
                self.call(
                    callee,
                    arguments,
                    buffer.map(Value::from),
                    &expression.ty,
                    false,
                    span,
                );
            }
            ExpressionKind::Cast(operand) => self.effect(operand),
            ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.in_one_of(condition, [then, otherwise], span, |this, branch| {
                    this.effect(branch);
                    Action::skip()
                });
            }
            ExpressionKind::LogicalAnd(first, second)
            | ExpressionKind::LogicalOr(first, second) => {
                let is_and = matches!(expression.kind, ExpressionKind::LogicalAnd(..));
                let (more, end) = (self.new_location(), self.new_location());
                if is_and {
                    self.branch_on(first, more, end);
                } else {
                    self.branch_on(first, end, more);
                }
                self.here = more;
                self.effect(second);
                self.connect(Action::skip(), end, Some(span));
                self.here = end;
            }
            ExpressionKind::Statements(statements, last) => {
                let owned = self.lifetimes.of_block(statements, last.as_deref());
                self.in_scope(owned, Some(span), |this| {
                    this.statements(statements);
                    if let Some(last) = last {
                        this.effect(last);
                    }
                });
            }
            ExpressionKind::VaStart(list) => {
                let address = self.value(list);
                match self.more_arguments {
                    Some(more) => {
                        let first = Expression::Register(more).into();
                        self.store_scalar(address, first, Scalar::Pointer, Access::Plain, span);
                    }
                    None => self.unsupported("`va_start` in a function without `...`", span),
                }
            }
            ExpressionKind::VaCopy(to, from) => {
                let to = self.value(to);
                let to = self.in_temporary(to, span);
                let from = self.value(from);
                let next = self.load_scalar(from, Scalar::Pointer, Access::Plain, span);
                self.store_scalar(to, next, Scalar::Pointer, Access::Plain, span);
            }
            ExpressionKind::Unreachable => {
                self.unsupported("a place that the program says is never reached", span);
            }
            ExpressionKind::Unsupported(what) => self.unsupported(what, span),
            ExpressionKind::Atomic(atomic) => {
                self.atomic(atomic, span);
            }
            ExpressionKind::Assign(place, value)
                if self.lowering.scalar(&expression.ty).is_some()
                    && !is_long_double(&expression.ty) =>
            {
                self.assign_place(place, value, false, span);
            }
            ExpressionKind::Update { place, update, .. } if !is_long_double(&expression.ty) => {
                if let Some(scalar) = self.lowering.scalar(&expression.ty) {
                    self.update(place, update, None, scalar, span);
                }
            }
            ExpressionKind::Assign(place, value)
                if is_memory(&expression.ty) && place.ty.is_atomic =>
            {
                self.assign_whole(place, value, span);
            }
            _ if is_memory(&expression.ty) => {
                self.record(expression);
            }
            // A `void` that none of the above is has no effect: `*p` of a pointer to `void`.
            _ if self.lowering.scalar(&expression.ty).is_none() => {}
            _ => {
                let value = self.value(expression);
                self.observe(value, span);
            }
        }
    }

    fn assign_place(
        &mut self,
        place: &Lvalue,
        value: &typed::Expression,
        is_wanted: bool,
        span: Span,
    ) -> Value {
        self.in_open_order_with_place(place, value, span);
        let spot = self.spot(place);
        let value = self.value(value);
        self.store(&spot, place, value, is_wanted, span)
    }

    /// A value that nobody wants may still go wrong when it is computed, as in `1 / x;`.
    fn observe(&mut self, value: Value, span: Span) {
        if value.depth > 1 && may_fault(&value.expression) {
            self.in_temporary(value, span);
        }
    }
}

/// Whether evaluating may be a fault or a violation.
fn may_fault(value: &Expression) -> bool {
    match value {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => false,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => may_fault(operand),
        Expression::Binary(..) => true,
        Expression::Select(condition, then, otherwise) => {
            may_fault(condition) || may_fault(then) || may_fault(otherwise)
        }
    }
}
