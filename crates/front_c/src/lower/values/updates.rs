//! Updates, which read a place and write to it: `a += b`, `a++`.

use raddle_base::Span;
use raddle_ir::{Action, BinaryOp, Expression, Order, RmwOperation, Scalar};

use crate::lower::body::{FunctionLowering, Value};
use crate::lower::places::Spot;
use crate::typed::{self, Arithmetic, Lvalue, Update};
use crate::types::Type;

impl FunctionLowering<'_, '_> {
    /// `a += b`, `a++`: the place, the operand, then one read and one write. Gives what was there before or is there
    /// then, if one of these is wanted.
    pub(super) fn update(
        &mut self,
        place: &Lvalue,
        update: &Update,
        gives_old: Option<bool>,
        scalar: Scalar,
        span: Span,
    ) -> Value {
        let (Update::Arithmetic { operand, .. } | Update::Pointer { index: operand, .. }) = update;
        self.in_open_order_with_place(place, operand, span);
        let spot = match self.spot(place) {
            Spot::Memory(address) => Spot::Memory(self.in_temporary(address, span)),
            Spot::Bits { record, field } => Spot::Bits {
                record: self.in_temporary(record, span),
                field,
            },
            register @ Spot::Register(_) => register,
        };
        let (early, operand) = if self.is_read_in_open_order(place, operand, span) {
            let (old, operand) = self.old_and_operand(&spot, place, operand, span);
            (Some(old), operand)
        } else {
            (None, self.value(operand))
        };
        if let (
            Spot::Memory(address),
            Update::Arithmetic {
                operator,
                computed_as,
                ..
            },
        ) = (&spot, update)
            && let Some(done) = self.atomic_update(
                place,
                address,
                (*operator, &operand, computed_as),
                gives_old.unwrap_or(true),
                scalar,
                span,
            )
        {
            return done;
        }
        let is_atomic = place.ty.is_atomic && matches!(spot, Spot::Memory(_));
        if is_atomic {
            self.then(
                Action::AtomicBegin {
                    is_as_written: false,
                },
                span,
            );
        }
        let old = match early {
            Some(old) => old,
            None => self.load(&spot, place, span),
        };
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
                let result = self.arithmetic(*operator, left, operand, span);
                self.convert(result, scalar, matches!(place.ty.ty, Type::Bool))
            }
            Update::Pointer {
                index,
                size,
                is_subtract,
            } => {
                self.compute_early(index, operand);
                self.pointer_add(old.clone(), index, size, *is_subtract, span)
            }
        };
        let new = self.store(&spot, place, new, gives_old == Some(false), span);
        if is_atomic {
            self.then(Action::AtomicEnd, span);
        }
        if gives_old == Some(true) { old } else { new }
    }

    /// What a place holds before or after an operand is evaluated, and that operand.
    fn old_and_operand(
        &mut self,
        spot: &Spot,
        place: &Lvalue,
        operand: &typed::Expression,
        span: Span,
    ) -> (Value, Value) {
        self.order_depth += 1;
        let (other, end) = (self.new_location(), self.new_location());
        self.choose_or(other, span);
        let operand_first = self.value(operand);
        let target = self.temporary(self.scalar_of(&operand_first));
        self.assign(target, operand_first, span);
        let old_then = self.load(spot, place, span);
        let old = self.temporary(self.scalar_of(&old_then));
        self.assign(old, old_then, span);
        self.connect(Action::skip(), end, Some(span));
        self.here = other;
        let old_first = self.load(spot, place, span);
        self.assign(old, old_first, span);
        let operand_then = self.value(operand);
        self.assign(target, operand_then, span);
        self.connect(Action::skip(), end, Some(span));
        self.here = end;
        self.order_depth -= 1;
        (
            Expression::Register(old).into(),
            Expression::Register(target).into(),
        )
    }

    /// An update of an `_Atomic` integer that the program can do in one action.
    fn atomic_update(
        &mut self,
        place: &Lvalue,
        address: &Value,
        (operator, operand, computed_as): (Arithmetic, &Value, &Type),
        gives_old: bool,
        scalar: Scalar,
        span: Span,
    ) -> Option<Value> {
        let Scalar::Int(_) = scalar else { return None };
        let is_integer = matches!(place.ty.ty, Type::Integer(_) | Type::Enumeration(_))
            && matches!(self.lowering.scalar(computed_as), Some(Scalar::Int(_)));
        if !place.ty.is_atomic || !is_integer {
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
}
