//! Indivisible accesses.

use raddle_base::Span;
use raddle_diag::Diagnostic;
use raddle_ir::{
    Access, Action, BinaryOp, Expression, LocationId, Order, RegisterId, RmwOperation, Scalar,
};

use crate::typed::{self, AtomicAccess, AtomicOperation};
use crate::types::Type;

use super::Lowering;
use super::body::{FunctionLowering, Value};
use super::order;

impl Lowering<'_> {
    /// Says once that a weaker order is not what is examined.
    fn warn_order(&mut self, order: Order, span: Span) {
        const MESSAGE: &str = "memory orders are read as sequentially consistent";
        let is_said = self
            .warnings
            .iter()
            .any(|it| it.diagnostic.message == MESSAGE);
        if order == Order::SequentiallyConsistent || is_said {
            return;
        }
        self.warnings.push(
            Diagnostic::warning("c", MESSAGE)
                .at(span, "a weaker order, or one that is not known")
                .note("executions that only a weaker order allows are not examined")
                .into(),
        );
    }
}

impl FunctionLowering<'_, '_> {
    /// One indivisible access; its result, if it has one.
    pub(super) fn atomic(&mut self, atomic: &AtomicAccess, span: Span) -> Option<Value> {
        let orders = self.computed_values(&atomic.computed, span);
        let around = std::mem::replace(&mut self.computed_orders, orders);
        let result = self.atomic_in_order(atomic, span);
        self.computed_orders = around;
        result
    }

    /// The same, when it is known in which order.
    fn atomic_in_order(&mut self, atomic: &AtomicAccess, span: Span) -> Option<Value> {
        if let AtomicOperation::Fence = atomic.operation {
            let order = atomic.order;
            self.then(Action::Fence { order }, span);
            return None;
        }
        if self.has_places {
            self.lowering.warn_order(atomic.order, span);
        }
        let Some(ty) = self.lowering.scalar(&atomic.cell) else {
            self.note_open_order(&operands_of(atomic), span);
            return self.access_whole(atomic, span)?.success;
        };
        if super::places::is_long_double(&atomic.cell) {
            return Some(self.long_double(span));
        }
        self.in_open_order(&operands_of(atomic), span);
        let address = self.value(&atomic.pointer);
        let address = if operands_of(atomic)[1..]
            .iter()
            .all(|it| order::is_quiet(it))
        {
            self.in_register(address, span)
        } else {
            self.in_temporary(address, span)
        };
        let access = Access::Atomic(atomic.order);
        match &atomic.operation {
            AtomicOperation::Fence => None,
            AtomicOperation::Load => Some(self.load_scalar(address, ty, access, span)),
            AtomicOperation::Store(value) => {
                let value = self.last_operand(value, ty, span);
                self.store_scalar(address, value, ty, access, span);
                None
            }
            AtomicOperation::Exchange(value) => {
                let operand = self.last_operand(value, ty, span);
                Some(self.modify(atomic, RmwOperation::Exchange, &address, &operand, ty, span))
            }
            AtomicOperation::Fetch {
                operation,
                operand,
                gives_new,
            } => Some(self.fetch(
                atomic,
                (*operation, operand, *gives_new),
                &address,
                ty,
                span,
            )),
            AtomicOperation::CompareExchange {
                expected,
                desired,
                failure,
                is_weak,
            } => {
                let place = self.steady_spot(expected, span);
                let desired = self.last_operand(desired, ty, span);
                let expected = self.load_plainly(&place, ty, span);
                let (previous, success) = (self.temporary(ty), self.temporary(Scalar::BOOL));
                let (decided, fail, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                if *is_weak {
                    let look = Access::Atomic(*failure);
                    self.fail_for_no_reason(look, &address, previous, success, ty, decided, span);
                }
                self.exchange_into(
                    (atomic.order, *failure),
                    &address,
                    expected,
                    desired,
                    ty,
                    (previous, success),
                    span,
                );
                self.connect(Action::skip(), decided, Some(span));
                self.here = decided;
                self.branch(Expression::Register(success).into(), end, fail, span);
                self.here = fail;
                let seen = Expression::Register(previous).into();
                self.store_plainly(&place, seen, ty, span);
                self.connect(Action::skip(), end, Some(span));
                self.here = end;
                Some(Expression::Register(success).into())
            }
            AtomicOperation::CompareAndSwap {
                expected,
                desired,
                gives_old,
            } => {
                let expected = self.operand(expected, ty, span);
                let desired = self.operand(desired, ty, span);
                let (previous, success) =
                    self.compare_exchange(atomic, &address, expected, desired, ty, span);
                let result = if *gives_old { previous } else { success };
                Some(Expression::Register(result).into())
            }
        }
    }

    fn operand(&mut self, value: &typed::Expression, ty: Scalar, span: Span) -> Value {
        let value = self.value(value);
        let value = self.convert(value, ty, false);
        self.in_temporary(value, span)
    }

    /// As [`Self::operand`], of what is evaluated last and used by the access alone.
    fn last_operand(&mut self, value: &typed::Expression, ty: Scalar, span: Span) -> Value {
        let value = self.value(value);
        let value = self.convert(value, ty, false);
        self.in_register(value, span)
    }

    fn modify(
        &mut self,
        atomic: &AtomicAccess,
        operation: RmwOperation,
        address: &Value,
        operand: &Value,
        ty: Scalar,
        span: Span,
    ) -> Value {
        let target = self.temporary(ty);
        self.then(
            Action::ReadModifyWrite {
                target: Some(target),
                operation,
                address: address.expression.clone(),
                operand: operand.expression.clone(),
                ty,
                order: atomic.order,
            },
            span,
        );
        Expression::Register(target).into()
    }

    fn fetch(
        &mut self,
        atomic: &AtomicAccess,
        (operation, operand, gives_new): (RmwOperation, &typed::Expression, bool),
        address: &Value,
        ty: Scalar,
        span: Span,
    ) -> Value {
        if !matches!(ty, Scalar::Int(_)) {
            return self.move_pointer(atomic, (operation, operand, gives_new), address, span);
        }
        let operand = self.operand(operand, ty, span);
        let old = self.modify(atomic, operation, address, &operand, ty, span);
        if !gives_new {
            return old;
        }
        let op = match operation {
            RmwOperation::Exchange => return operand,
            RmwOperation::Add => BinaryOp::AddWrapping,
            RmwOperation::Subtract => BinaryOp::SubtractWrapping,
            RmwOperation::And | RmwOperation::Nand => BinaryOp::And,
            RmwOperation::Or => BinaryOp::Or,
            RmwOperation::Xor => BinaryOp::Xor,
            RmwOperation::Min | RmwOperation::Max => {
                let is_min = operation == RmwOperation::Min;
                let op = if is_min {
                    BinaryOp::Less
                } else {
                    BinaryOp::Greater
                };
                let keeps = self.binary(op, old.clone(), operand.clone(), span);
                return self.select(keeps, old, operand, span);
            }
        };
        let new = self.binary(op, old, operand, span);
        if operation == RmwOperation::Nand {
            self.unary(raddle_ir::UnaryOp::Not, new, span)
        } else {
            new
        }
    }

    /// Bytes are added to a pointer in one step, which the program has no single action for.
    fn move_pointer(
        &mut self,
        atomic: &AtomicAccess,
        (operation, operand, gives_new): (RmwOperation, &typed::Expression, bool),
        address: &Value,
        span: Span,
    ) -> Value {
        let is_pointer = matches!(atomic.cell, Type::Pointer(_));
        let is_subtract = operation == RmwOperation::Subtract;
        if !is_pointer || !(is_subtract || operation == RmwOperation::Add) {
            self.effect(operand);
            self.unsupported(
                "an indivisible operation on something that is no integer",
                span,
            );
            return Expression::null().into();
        }
        let word = Scalar::Int(self.lowering.model().signed_word());
        let mut amount = self.operand(operand, word, span);
        if is_subtract {
            amount = self.unary(raddle_ir::UnaryOp::NegateWrapping, amount, span);
        }
        let access = Access::Atomic(atomic.order);
        self.then(
            Action::AtomicBegin {
                is_as_written: false,
            },
            span,
        );
        let old = self.load_scalar(address.clone(), Scalar::Pointer, access, span);
        let new = self.binary(BinaryOp::Offset, old.clone(), amount, span);
        let new = self.in_temporary(new, span);
        self.store_scalar(address.clone(), new.clone(), Scalar::Pointer, access, span);
        self.then(Action::AtomicEnd, span);
        if gives_new { new } else { old }
    }

    fn compare_exchange(
        &mut self,
        atomic: &AtomicAccess,
        address: &Value,
        expected: Value,
        desired: Value,
        ty: Scalar,
        span: Span,
    ) -> (RegisterId, RegisterId) {
        let results = (self.temporary(ty), self.temporary(Scalar::BOOL));
        let orders = (atomic.order, atomic.order.on_failure());
        self.exchange_into(orders, address, expected, desired, ty, results, span);
        results
    }

    #[expect(clippy::too_many_arguments, reason = "all of them make up the access")]
    fn exchange_into(
        &mut self,
        (order, failure): (Order, Order),
        address: &Value,
        expected: Value,
        desired: Value,
        ty: Scalar,
        (previous, success): (RegisterId, RegisterId),
        span: Span,
    ) {
        self.then(
            Action::CompareExchange {
                previous: Some(previous),
                success: Some(success),
                address: address.expression.clone(),
                expected: expected.expression,
                desired: desired.expression,
                ty,
                order,
                failure,
            },
            span,
        );
    }

    /// A weak exchange may only look at the cell and say that it failed; then it is decided.
    #[expect(clippy::too_many_arguments, reason = "all of them make up the access")]
    fn fail_for_no_reason(
        &mut self,
        access: Access,
        address: &Value,
        previous: RegisterId,
        success: RegisterId,
        ty: Scalar,
        decided: LocationId,
        span: Span,
    ) {
        let fails = self.anything(Scalar::BOOL, false, span);
        let (look, exchange) = (self.new_location(), self.new_location());
        self.branch(fails, look, exchange, span);
        self.here = look;
        self.assign(success, Expression::bool(false).into(), span);
        self.connect_in_each_failure(
            Action::Load {
                target: previous,
                address: address.expression.clone(),
                ty,
                access,
            },
            decided,
            Some(span),
        );
        self.here = exchange;
    }
}

/// What is evaluated before the access.
fn operands_of(atomic: &AtomicAccess) -> Vec<&typed::Expression> {
    let pointer = &atomic.pointer;
    match &atomic.operation {
        AtomicOperation::Fence => Vec::new(),
        AtomicOperation::Load => vec![pointer],
        AtomicOperation::Store(value)
        | AtomicOperation::Exchange(value)
        | AtomicOperation::Fetch { operand: value, .. } => vec![pointer, value],
        AtomicOperation::CompareExchange {
            expected, desired, ..
        } => [pointer]
            .into_iter()
            .chain(order::operands_of(expected))
            .chain([desired])
            .collect(),
        AtomicOperation::CompareAndSwap {
            expected, desired, ..
        } => vec![pointer, expected, desired],
    }
}
