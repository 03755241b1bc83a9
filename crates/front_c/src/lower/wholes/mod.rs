//! Indivisible accesses to structs and unions: all their parts in one step.
//!
//! What is compared are bytes, as gcc and its `libatomic` do (C17 7.17.7.4 says it with `memcmp`). Members are compared as
//! what they are, so that pointers are compared as addresses. The value of padding is unspecified after any store into the
//! struct (C17 6.2.6.1p6): a comparison of what has padding may fail although all members are equal.

mod parts;

use raddle_base::Span;
use raddle_ir::{Access, Action, BinaryOp, Expression, Order, RegisterId, Scalar};

use crate::typed::{self, AtomicAccess, AtomicOperation, ExpressionKind, Lvalue};
use crate::types::Type;

use super::body::{FunctionLowering, Value};
use super::objects::MOST_CHUNKS;

use parts::{Parts, parts};

/// What an access found.
pub(super) struct ExchangedWhole {
    /// Of a load or an exchange: what was there, part by part.
    before: Vec<Value>,
    /// Of a compare-and-exchange.
    pub(super) success: Option<Value>,
}

impl FunctionLowering<'_, '_> {
    /// The parts, unless they cannot be moved in one step.
    fn parts(&mut self, ty: &Type, span: Span) -> Option<Parts> {
        let shown = self.lowering.ir_type(ty);
        let model = self.lowering.model();
        let has_locks = !shown
            .sync_cells(&self.lowering.draft.structs, model)
            .is_empty();
        let is_small = self.lowering.size(ty) <= 8 * MOST_CHUNKS;
        let parts = Some(ty)
            .filter(|it| matches!(it, Type::Record(_)) && is_small && !has_locks)
            .map(|it| parts(self.lowering, it))
            .filter(|it| it.cells.len() as u64 <= MOST_CHUNKS);
        if parts.is_none() {
            self.unsupported(
                "an indivisible access to something so large, or of this type,",
                span,
            );
        }
        parts
    }

    /// What `record` would give, put where an address points to; as a first value, if it is the first there.
    pub(super) fn record_to(&mut self, to: Value, is_first: bool, expression: &typed::Expression) {
        let (ty, span) = (&expression.ty, expression.span);
        let to = self.in_temporary(to, span);
        match &expression.kind {
            ExpressionKind::Load(place) if place.ty.is_atomic => {
                let from = self.address(place);
                let from = self.in_temporary(from, span);
                let Some(parts) = self.parts(ty, span) else {
                    return;
                };
                let access = Access::Atomic(Order::SequentiallyConsistent);
                let values = self.look_at_whole(&from, &parts, access, span);
                self.storing_first(is_first, |this| {
                    this.put(&to, &parts, &values, Access::Plain, span);
                });
            }
            ExpressionKind::Assign(place, value) if place.ty.is_atomic => {
                if let Some((parts, values)) = self.assign_whole(place, value, span) {
                    self.storing_first(is_first, |this| {
                        this.put(&to, &parts, &values, Access::Plain, span);
                    });
                }
            }
            ExpressionKind::Atomic(atomic) => {
                if let Some(found) = self.access_whole(atomic, span)
                    && let Some(parts) = self.parts(ty, span)
                {
                    self.storing_first(is_first, |this| {
                        this.put(&to, &parts, &found.before, Access::Plain, span);
                    });
                }
            }
            ExpressionKind::Statements(statements, Some(last)) => {
                let owned = self.lifetimes.of_block(statements, Some(last));
                self.in_scope(owned, Some(span), |this| {
                    this.statements(statements);
                    this.record_to(to, is_first, last);
                });
            }
            _ => {
                let from = self.record(expression);
                self.storing_first(is_first, |this| this.copy(to, from, ty, span));
            }
        }
    }

    /// `place = value` for an `_Atomic` place: what it holds then.
    pub(super) fn assign_whole(
        &mut self,
        place: &Lvalue,
        value: &typed::Expression,
        span: Span,
    ) -> Option<(Parts, Vec<Value>)> {
        let to = self.address(place);
        let to = self.in_temporary(to, span);
        let parts = self.parts(&place.ty.ty, span)?;
        let values = self.plain_parts(value, &parts, span);
        let access = Access::Atomic(Order::SequentiallyConsistent);
        self.indivisibly(span, |this| this.put(&to, &parts, &values, access, span));
        Some((parts, values))
    }

    /// One indivisible access to what is no scalar.
    pub(super) fn access_whole(
        &mut self,
        atomic: &AtomicAccess,
        span: Span,
    ) -> Option<ExchangedWhole> {
        let address = self.value(&atomic.pointer);
        let address = self.in_temporary(address, span);
        let parts = self.parts(&atomic.cell, span)?;
        let access = Access::Atomic(atomic.order);
        let (mut before, mut success) = (Vec::new(), None);
        match &atomic.operation {
            AtomicOperation::Load => before = self.look_at_whole(&address, &parts, access, span),
            AtomicOperation::Store(value) => {
                let values = self.plain_parts(value, &parts, span);
                self.indivisibly(span, |this| {
                    this.put(&address, &parts, &values, access, span);
                });
            }
            AtomicOperation::Exchange(value) => {
                let values = self.plain_parts(value, &parts, span);
                self.indivisibly(span, |this| {
                    before = this.look_at(&address, &parts, access, span);
                    this.put(&address, &parts, &values, access, span);
                });
            }
            AtomicOperation::CompareExchange {
                expected,
                desired,
                is_weak,
                failure: _,
            } => {
                let place = self.address(expected);
                let place = self.in_temporary(place, span);
                let desired = self.plain_parts(desired, &parts, span);
                let expected = self.look_at(&place, &parts, Access::Plain, span);
                let may_fail = *is_weak || parts.has_padding;
                let (previous, done) = self.exchange_whole(
                    &address, &parts, &expected, &desired, access, may_fail, span,
                );
                let (fail, end) = (self.new_location(), self.new_location());
                self.branch(done.clone(), end, fail, span);
                self.here = fail;
                self.put(&place, &parts, &previous, Access::Plain, span);
                self.connect(Action::skip(), end, Some(span));
                self.here = end;
                success = Some(done);
            }
            AtomicOperation::Fence
            | AtomicOperation::Fetch { .. }
            | AtomicOperation::CompareAndSwap { .. } => {
                self.unsupported(
                    "an indivisible operation on something that is no scalar",
                    span,
                );
                return None;
            }
        }
        Some(ExchangedWhole { before, success })
    }

    /// What was there, and whether it was as expected and is now as desired.
    #[expect(clippy::too_many_arguments, reason = "all of them make up the access")]
    fn exchange_whole(
        &mut self,
        address: &Value,
        parts: &Parts,
        expected: &[Value],
        desired: &[Value],
        access: Access,
        may_fail: bool,
        span: Span,
    ) -> (Vec<Value>, Value) {
        let previous: Vec<RegisterId> = parts
            .cells
            .iter()
            .map(|(_, scalar)| self.temporary(*scalar))
            .collect();
        let success = self.temporary(Scalar::BOOL);
        let decided = self.new_location();
        if may_fail {
            // It only looks, and says that it failed.
            let fails = self.anything(Scalar::BOOL, false, span);
            let (look, exchange) = (self.new_location(), self.new_location());
            self.branch(fails, look, exchange, span);
            self.here = look;
            self.assign(success, Expression::bool(false).into(), span);
            self.indivisibly(span, |this| {
                this.look_into(&previous, address, parts, access, span);
            });
            self.connect(Action::skip(), decided, Some(span));
            self.here = exchange;
        }
        self.indivisibly(span, |this| {
            this.look_into(&previous, address, parts, access, span);
            this.assign(success, Expression::bool(true).into(), span);
            for (there, expected) in previous.iter().zip(expected) {
                let there = Expression::Register(*there).into();
                let is_same = this.binary(BinaryOp::Equal, there, expected.clone(), span);
                let so_far = Expression::Register(success).into();
                let all = this.binary(BinaryOp::And, so_far, is_same, span);
                this.assign(success, all, span);
            }
            let (write, done) = (this.new_location(), this.new_location());
            this.branch(Expression::Register(success).into(), write, done, span);
            this.here = write;
            this.put(address, parts, desired, access, span);
            this.connect(Action::skip(), done, Some(span));
            this.here = done;
        });
        self.connect(Action::skip(), decided, Some(span));
        self.here = decided;
        let previous = previous
            .into_iter()
            .map(|it| Expression::Register(it).into());
        (previous.collect(), Expression::Register(success).into())
    }

    fn indivisibly(&mut self, span: Span, what: impl FnOnce(&mut Self)) {
        self.then(
            Action::AtomicBegin {
                is_as_written: false,
            },
            span,
        );
        what(self);
        self.then(Action::AtomicEnd, span);
    }

    /// The parts of a value, which is read as values are.
    fn plain_parts(&mut self, value: &typed::Expression, parts: &Parts, span: Span) -> Vec<Value> {
        let from = self.record(value);
        let from = self.in_temporary(from, span);
        self.look_at(&from, parts, Access::Plain, span)
    }

    fn look_at_whole(
        &mut self,
        address: &Value,
        parts: &Parts,
        access: Access,
        span: Span,
    ) -> Vec<Value> {
        let mut values = Vec::new();
        self.indivisibly(span, |this| {
            values = this.look_at(address, parts, access, span);
        });
        values
    }

    fn look_at(
        &mut self,
        address: &Value,
        parts: &Parts,
        access: Access,
        span: Span,
    ) -> Vec<Value> {
        let targets: Vec<RegisterId> = parts
            .cells
            .iter()
            .map(|(_, scalar)| self.temporary(*scalar))
            .collect();
        self.look_into(&targets, address, parts, access, span);
        targets
            .into_iter()
            .map(|it| Expression::Register(it).into())
            .collect()
    }

    fn look_into(
        &mut self,
        targets: &[RegisterId],
        address: &Value,
        parts: &Parts,
        access: Access,
        span: Span,
    ) {
        for ((offset, ty), target) in parts.cells.iter().zip(targets) {
            let address = self.displaced(address.clone(), *offset, span);
            self.then(
                Action::Load {
                    target: *target,
                    address: address.expression,
                    ty: *ty,
                    access,
                },
                span,
            );
        }
    }

    fn put(
        &mut self,
        address: &Value,
        parts: &Parts,
        values: &[Value],
        access: Access,
        span: Span,
    ) {
        for ((offset, scalar), value) in parts.cells.iter().zip(values) {
            let address = self.displaced(address.clone(), *offset, span);
            self.store_scalar(address, value.clone(), *scalar, access, span);
        }
    }
}
