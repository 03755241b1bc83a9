//! Scalar expressions: what is computed when.
//!
//! Operands are evaluated from left to right, the place of an assignment before its value. What a pure expression
//! reads from registers may be read later than that: C leaves programs undefined that could tell.

use raddle_base::Span;
use raddle_ir::{
    Access, Action, BinaryOp, Expression, IntType, LocationId, Order, RmwOperation, Scalar, UnaryOp,
};

use crate::typed::{self, Arithmetic, Comparison, ExpressionKind, Place, PlaceKind, Update};
use crate::types::Type;

use super::body::{FunctionLowering, Storage, Value, is_memory, negated};
use super::objects::label_value;
use super::places::{Spot, access, is_long_double};
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
                Expression::Function(self.lowering.function(*function)).into()
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
                let left = self.value(left);
                let right = self.value(right);
                self.arithmetic(*operator, left, right, span)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, scalar, span)
            }
            ExpressionKind::Elvis(first, second) => {
                let value = self.value(first);
                let from = self.scalar_of(&value);
                let value = self.in_temporary(value, span);
                let is_set: Value = scalars::is_nonzero(value.expression.clone(), from).into();
                let value = self.convert(value, scalar, matches!(ty, Type::Bool));
                if self.is_pure(second) {
                    let other = self.value(second);
                    return self.select(is_set, value, other, span);
                }
                let chosen = self.temporary(scalar);
                self.assign(chosen, value, span);
                let (no, end) = (self.new_location(), self.new_location());
                self.branch(is_set, end, no, span);
                self.here = no;
                let other = self.value(second);
                self.connect(
                    Action::Assign {
                        target: chosen,
                        value: other.expression,
                    },
                    end,
                    Some(span),
                );
                self.here = end;
                Expression::Register(chosen).into()
            }
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
                let pointer = self.value(pointer);
                self.pointer_add(pointer, index, size, *is_subtract, span)
            }
            ExpressionKind::PointerDifference { left, right, size } => {
                let left = self.value(left);
                let right = self.value(right);
                let size = self.value(size);
                let bytes = self.binary(BinaryOp::Distance, left, right, span);
                let word = Scalar::Int(self.lowering.model().signed_word());
                let size = self.convert(size, word, false);
                let elements = match size.expression {
                    Expression::Constant(1, _) => bytes,
                    // Of elements without size, gcc makes nothing useful; neither do we.
                    _ => self.binary(BinaryOp::Divide, bytes, size, span),
                };
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
                self.statements(statements);
                match last {
                    Some(last) => {
                        // A local of the block ends here.
                        let value = self.value(last);
                        self.in_temporary(value, span)
                    }
                    None => Expression::Constant(0, scalar).into(),
                }
            }
            ExpressionKind::VaArg(list) => {
                let address = self.next_argument(list, ty, span);
                self.load_scalar(address, scalar, Access::Plain, span)
            }
            ExpressionKind::Alloca(bytes) => {
                let size = self.value(bytes);
                let target = self.temporary(Scalar::Pointer);
                self.then(
                    Action::Allocate {
                        target,
                        size: size.expression,
                        ty: None,
                        is_zeroed: false,
                        kind: raddle_ir::AllocateKind::Stack,
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
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.branch_on(condition, yes, no);
                for (start, branch) in [(yes, then), (no, otherwise)] {
                    self.here = start;
                    self.effect(branch);
                    self.connect(Action::skip(), end, Some(span));
                }
                self.here = end;
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
                self.statements(statements);
                if let Some(last) = last {
                    self.effect(last);
                }
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
            // Undefined behaviour, as the use of a value that was never set is.
            ExpressionKind::Unreachable => {
                let condition = self.undefined(Scalar::BOOL);
                self.then(Action::Assume { condition }, span);
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
        place: &Place,
        value: &typed::Expression,
        is_wanted: bool,
        span: Span,
    ) -> Value {
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

    /// Whether a scalar is not zero, as a `u1`.
    pub(super) fn condition(&mut self, expression: &typed::Expression) -> Value {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::LogicalNot(operand) => {
                let operand = self.condition(operand);
                Value {
                    depth: operand.depth + 1,
                    expression: negated(operand.expression),
                }
            }
            ExpressionKind::Compare(comparison, left, right) => {
                let left = self.value(left);
                let right = self.value(right);
                let op = match comparison {
                    Comparison::Less => BinaryOp::Less,
                    Comparison::Greater => BinaryOp::Greater,
                    Comparison::LessEqual => BinaryOp::LessEqual,
                    Comparison::GreaterEqual => BinaryOp::GreaterEqual,
                    Comparison::Equal => BinaryOp::Equal,
                    Comparison::NotEqual => BinaryOp::NotEqual,
                };
                self.binary(op, left, right, span)
            }
            ExpressionKind::LogicalAnd(first, second)
            | ExpressionKind::LogicalOr(first, second) => {
                let is_and = matches!(expression.kind, ExpressionKind::LogicalAnd(..));
                if self.is_pure(second) {
                    let first = self.condition(first);
                    let second = self.condition(second);
                    let known: Value = Expression::bool(!is_and).into();
                    return if is_and {
                        self.select(first, second, known, span)
                    } else {
                        self.select(first, known, second, span)
                    };
                }
                let truth = self.temporary(Scalar::BOOL);
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.branch_on(expression, yes, no);
                for (start, value) in [(yes, true), (no, false)] {
                    self.here = start;
                    self.connect(
                        Action::Assign {
                            target: truth,
                            value: Expression::bool(value),
                        },
                        end,
                        Some(span),
                    );
                }
                self.here = end;
                Expression::Register(truth).into()
            }
            ExpressionKind::Cast(operand)
                if matches!(expression.ty, Type::Bool)
                    && self.lowering.scalar(&operand.ty).is_some() =>
            {
                self.condition(operand)
            }
            _ => {
                let value = self.value(expression);
                let scalar = self.scalar_of(&value);
                Value {
                    depth: value.depth + 1,
                    expression: scalars::is_nonzero(value.expression, scalar),
                }
            }
        }
    }

    /// Goes on at `yes` if a scalar is not zero, at `no` if it is.
    pub(super) fn branch_on(
        &mut self,
        expression: &typed::Expression,
        yes: LocationId,
        no: LocationId,
    ) {
        match &expression.kind {
            ExpressionKind::LogicalNot(operand) => self.branch_on(operand, no, yes),
            ExpressionKind::LogicalAnd(first, second) if !self.is_pure(second) => {
                let more = self.new_location();
                self.branch_on(first, more, no);
                self.here = more;
                self.branch_on(second, yes, no);
            }
            ExpressionKind::LogicalOr(first, second) if !self.is_pure(second) => {
                let more = self.new_location();
                self.branch_on(first, yes, more);
                self.here = more;
                self.branch_on(second, yes, no);
            }
            _ => {
                let condition = self.condition(expression);
                self.branch(condition, yes, no, expression.span);
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &typed::Expression,
        then: &typed::Expression,
        otherwise: &typed::Expression,
        scalar: Scalar,
        span: Span,
    ) -> Value {
        if self.is_pure(then) && self.is_pure(otherwise) {
            let condition = self.condition(condition);
            if let Expression::Constant(bits, _) = condition.expression {
                return self.value(if bits == 0 { otherwise } else { then });
            }
            let then = self.value(then);
            let otherwise = self.value(otherwise);
            return self.select(condition, then, otherwise, span);
        }
        let chosen = self.temporary(scalar);
        let (yes, no, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch_on(condition, yes, no);
        for (start, branch) in [(yes, then), (no, otherwise)] {
            self.here = start;
            let value = self.value(branch);
            self.connect(
                Action::Assign {
                    target: chosen,
                    value: value.expression,
                },
                end,
                Some(span),
            );
        }
        self.here = end;
        Expression::Register(chosen).into()
    }

    /// Whether evaluating needs no action of its own: constants and registers only. Looks only so deep.
    pub(super) fn is_pure(&mut self, expression: &typed::Expression) -> bool {
        self.is_pure_within(expression, 12)
    }

    fn is_pure_within(&mut self, expression: &typed::Expression, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if is_long_double(&expression.ty) || self.lowering.scalar(&expression.ty).is_none() {
            return false;
        }
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::FunctionAddress(_)
            | ExpressionKind::LabelAddress(_) => true,
            ExpressionKind::Load(place) => matches!(
                place.kind,
                PlaceKind::Local(local) if matches!(self.storage(local), Storage::Register(_))
            ),
            ExpressionKind::AddressOf(place) => self.is_pure_address(place, depth),
            ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::LogicalNot(operand) => self.is_pure_within(operand, depth),
            ExpressionKind::Cast(operand) => self.is_pure_within(operand, depth),
            ExpressionKind::Arithmetic(_, left, right)
            | ExpressionKind::Compare(_, left, right)
            | ExpressionKind::LogicalAnd(left, right)
            | ExpressionKind::LogicalOr(left, right) => {
                self.is_pure_within(left, depth) && self.is_pure_within(right, depth)
            }
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                ..
            } => {
                self.is_pure_within(pointer, depth)
                    && self.is_pure_within(index, depth)
                    && self.is_pure_within(size, depth)
            }
            ExpressionKind::PointerDifference { left, right, size } => {
                self.is_pure_within(left, depth)
                    && self.is_pure_within(right, depth)
                    && self.is_pure_within(size, depth)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.is_pure_within(condition, depth)
                    && self.is_pure_within(then, depth)
                    && self.is_pure_within(otherwise, depth)
            }
            ExpressionKind::Elvis(..)
            | ExpressionKind::Comma(..)
            | ExpressionKind::Assign(..)
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
            | ExpressionKind::Unsupported(_) => false,
        }
    }

    fn is_pure_address(&mut self, place: &Place, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match &place.kind {
            PlaceKind::Local(_) => true,
            PlaceKind::Object(object) => {
                let object = &self.lowering.module.objects[*object];
                object.is_defined || object.size > 0
            }
            PlaceKind::Dereference(pointer) => self.is_pure_within(pointer, depth),
            PlaceKind::Field(record, _, None) => self.is_pure_address(record, depth),
            PlaceKind::Field(_, _, Some(_))
            | PlaceKind::CompoundLiteral(..)
            | PlaceKind::Value(..) => false,
        }
    }

    /// One arithmetic operation on operands of one type; of shifts, the amount is of any.
    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        let op = match operator {
            Arithmetic::Multiply => BinaryOp::Multiply,
            Arithmetic::Divide => BinaryOp::Divide,
            Arithmetic::Remainder => BinaryOp::Remainder,
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Subtract => BinaryOp::Subtract,
            Arithmetic::ShiftLeft => BinaryOp::ShiftLeft,
            Arithmetic::ShiftRight => BinaryOp::ShiftRight,
            Arithmetic::And => BinaryOp::And,
            Arithmetic::Xor => BinaryOp::Xor,
            Arithmetic::Or => BinaryOp::Or,
        };
        self.binary(op, left, right, span)
    }

    fn pointer_add(
        &mut self,
        pointer: Value,
        index: &typed::Expression,
        size: &typed::Expression,
        is_subtract: bool,
        span: Span,
    ) -> Value {
        let word = self.lowering.model().signed_word();
        let index = self.value(index);
        let size = self.value(size);
        let size = self.convert(size, Scalar::Int(word), false);
        let index = self.convert(index, Scalar::Int(word), false);
        if let (Expression::Constant(index, _), Expression::Constant(size, _)) =
            (&index.expression, &size.expression)
        {
            let number = |bits: u128| raddle_ir::arithmetic::signed_value(bits, word);
            let bytes = number(*index).wrapping_mul(number(*size));
            let bytes = if is_subtract { -bytes } else { bytes };
            if let Ok(bytes) = u64::try_from(bytes) {
                return self.displaced(pointer, bytes, span);
            }
            let amount: Value = Expression::int(bytes, word).into();
            return self.binary(BinaryOp::Offset, pointer, amount, span);
        }
        let bytes = match size.expression {
            Expression::Constant(1, _) => index,
            _ => self.binary(BinaryOp::MultiplyWrapping, index, size, span),
        };
        let bytes = if is_subtract {
            self.unary(UnaryOp::NegateWrapping, bytes, span)
        } else {
            bytes
        };
        self.binary(BinaryOp::Offset, pointer, bytes, span)
    }

    /// `a += b`, `a++`: the place, the operand, then one read and one write. Gives what was there before or is there
    /// then, if one of these is wanted.
    fn update(
        &mut self,
        place: &Place,
        update: &Update,
        gives_old: Option<bool>,
        scalar: Scalar,
        span: Span,
    ) -> Value {
        let spot = match self.spot(place) {
            Spot::Memory(address) => Spot::Memory(self.in_temporary(address, span)),
            Spot::Bits { record, field } => Spot::Bits {
                record: self.in_temporary(record, span),
                field,
            },
            register @ Spot::Register(_) => register,
        };
        let operand = match update {
            Update::Arithmetic { operand, .. } => Some(self.value(operand)),
            Update::Pointer { .. } => None,
        };
        if let (
            Some(value),
            Spot::Memory(address),
            Update::Arithmetic {
                operator,
                computed_as,
                ..
            },
        ) = (&operand, &spot, update)
            && let Some(done) = self.atomic_update(
                place,
                address,
                (*operator, value, computed_as),
                gives_old.unwrap_or(true),
                scalar,
                span,
            )
        {
            return done;
        }
        let is_atomic = place.ty.is_atomic && matches!(spot, Spot::Memory(_));
        if is_atomic {
            self.then(Action::AtomicBegin, span);
        }
        let old = self.load(&spot, place, span);
        let old = if gives_old == Some(true) {
            self.in_temporary(old, span)
        } else {
            old
        };
        let new = match update {
            Update::Arithmetic {
                operator,
                computed_as,
                ..
            } => {
                let wide = self.lowering.scalar(computed_as).unwrap_or(scalar);
                let left = self.convert(old.clone(), wide, false);
                let operand = operand.expect("evaluated for arithmetic");
                let result = self.arithmetic(*operator, left, operand, span);
                self.convert(result, scalar, matches!(place.ty.ty, Type::Bool))
            }
            Update::Pointer {
                index,
                size,
                is_subtract,
            } => self.pointer_add(old.clone(), index, size, *is_subtract, span),
        };
        let new = self.store(&spot, place, new, gives_old == Some(false), span);
        if is_atomic {
            self.then(Action::AtomicEnd, span);
        }
        if gives_old == Some(true) { old } else { new }
    }

    /// An update of an `_Atomic` integer that the program can do in one action.
    fn atomic_update(
        &mut self,
        place: &Place,
        address: &Value,
        (operator, operand, computed_as): (Arithmetic, &Value, &Type),
        gives_old: bool,
        scalar: Scalar,
        span: Span,
    ) -> Option<Value> {
        let Scalar::Int(_) = scalar else { return None };
        let is_integer = matches!(place.ty.ty, Type::Integer(_) | Type::Enumeration(_))
            && matches!(self.lowering.scalar(computed_as), Some(Scalar::Int(_)));
        if access(place) == Access::Plain || !is_integer {
            return None;
        }
        let (operation, op) = match operator {
            Arithmetic::Add => (RmwOperation::Add, BinaryOp::AddWrapping),
            Arithmetic::Subtract => (RmwOperation::Subtract, BinaryOp::SubtractWrapping),
            Arithmetic::And => (RmwOperation::And, BinaryOp::And),
            Arithmetic::Or => (RmwOperation::Or, BinaryOp::Or),
            Arithmetic::Xor => (RmwOperation::Xor, BinaryOp::Xor),
            Arithmetic::Multiply
            | Arithmetic::Divide
            | Arithmetic::Remainder
            | Arithmetic::ShiftLeft
            | Arithmetic::ShiftRight => return None,
        };
        let operand = self.convert(operand.clone(), scalar, false);
        let operand = self.in_temporary(operand, span);
        let target = self.temporary(scalar);
        self.then(
            Action::ReadModifyWrite {
                target: Some(target),
                operation,
                address: address.expression.clone(),
                operand: operand.expression.clone(),
                ty: scalar,
                order: Order::SequentiallyConsistent,
            },
            span,
        );
        let old: Value = Expression::Register(target).into();
        Some(if gives_old {
            old
        } else {
            self.binary(op, old, operand, span)
        })
    }

    /// The exact result in 128 bits, cut to its type; whether it did not fit, as a `u1`.
    fn overflow_arithmetic(
        &mut self,
        operator: Arithmetic,
        left: &typed::Expression,
        right: &typed::Expression,
        result: Option<&typed::Expression>,
        result_type: &Type,
        span: Span,
    ) -> Value {
        let left = self.value(left);
        let right = self.value(right);
        let address = result.map(|result| self.value(result));
        let narrow = self.lowering.scalar(result_type).unwrap_or(INT);
        let (from_left, from_right) = (self.scalar_of(&left), self.scalar_of(&right));
        let is_wide = |scalar: Scalar| matches!(scalar, Scalar::Int(int) if int.bits > 64);
        if is_wide(from_left) || is_wide(from_right) || is_wide(narrow) {
            self.unsupported("overflow of 128-bit integers", span);
        }
        let is_unsigned = |scalar: Scalar| matches!(scalar, Scalar::Int(int) if !int.is_signed);
        let is_product_of_unsigned =
            operator == Arithmetic::Multiply && is_unsigned(from_left) && is_unsigned(from_right);
        let wide = Scalar::Int(IntType {
            bits: 128,
            is_signed: !is_product_of_unsigned,
        });
        let op = match operator {
            Arithmetic::Subtract => BinaryOp::SubtractWrapping,
            Arithmetic::Multiply => BinaryOp::MultiplyWrapping,
            _ => BinaryOp::AddWrapping,
        };
        let left = self.convert(left, wide, false);
        let right = self.convert(right, wide, false);
        let exact = self.binary(op, left, right, span);
        let exact = self.in_temporary(exact, span);
        let cut = self.convert(exact.clone(), narrow, matches!(result_type, Type::Bool));
        let cut = self.in_temporary(cut, span);
        if let Some(address) = address {
            self.store_scalar(address, cut.clone(), narrow, Access::Plain, span);
        }
        let back = self.convert(cut, wide, false);
        self.binary(BinaryOp::NotEqual, back, exact, span)
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
