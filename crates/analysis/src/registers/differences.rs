//! Differences between cells that are kept together, and numbers that are told by a cell and a number more.

use raddle_base::Id;
use raddle_ir::{BinaryOp, Expression, Scalar};

use crate::call_graph::InstanceId;
use crate::numbers::{NumberFacts, bounds, exact_range};

use super::standing::Form;
use super::tracked::difference_type;
use super::{Registers, Standing};

impl Registers<'_, '_> {
    /// What an expression is beside a kept cell.
    pub(super) fn form_of(
        &self,
        instance: InstanceId,
        with: &Standing,
        expression: &Expression,
    ) -> Option<Form> {
        match expression {
            Expression::Register(register) => {
                let known = with.registers.get(register.index());
                let is_set = known.is_some_and(|it| it.is_defined);
                with.form(*register).filter(|_| is_set)
            }
            Expression::Cast(to @ Scalar::Int(_), operand)
                if matches!(self.scalar(instance, operand), Scalar::Int(_)) =>
            {
                let (low, high) = bounds(*to);
                let known = self.evaluate(instance, with, operand);
                let is_same = known.is_within(low, high);
                is_same.then(|| self.form_of(instance, with, operand))?
            }
            Expression::Binary(
                op @ (BinaryOp::Add
                | BinaryOp::AddWrapping
                | BinaryOp::Subtract
                | BinaryOp::SubtractWrapping),
                left,
                right,
            ) if is_simple(left) && is_simple(right) => {
                let ty @ Scalar::Int(_) = self.scalar(instance, left) else {
                    return None;
                };
                let value = |it: &Expression| self.evaluate(instance, with, it);
                let (one, other) = (value(left), value(right));
                let (least, greatest) = bounds(ty);
                let (low, high) = exact_range(*op, one, other)?;
                if low < least || high > greatest {
                    return None;
                }
                let is_sum = matches!(op, BinaryOp::Add | BinaryOp::AddWrapping);
                let moved = |form: Option<Form>, by: i128| {
                    let Form { cell, more } = form?;
                    let more = more.checked_add(by)?;
                    Some(Form { cell, more })
                };
                if other.low == other.high {
                    let by = if is_sum { other.low } else { -other.low };
                    moved(self.form_of(instance, with, left), by)
                } else if one.low == one.high && is_sum {
                    moved(self.form_of(instance, with, right), one.low)
                } else {
                    None
                }
            }
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => None,
        }
    }

    /// What is certain of the difference of two numbers that are told by cells.
    pub(super) fn difference(
        &self,
        instance: InstanceId,
        with: &Standing,
        left: &Expression,
        right: &Expression,
    ) -> Option<NumberFacts> {
        let one = self.form_of(instance, with, left)?;
        let other = self.form_of(instance, with, right)?;
        let more = one.more.checked_sub(other.more)?;
        if one.cell == other.cell {
            return Some(NumberFacts::exactly(more));
        }
        let (pair, is_turned) = self.tracked.pair(one.cell, other.cell)?;
        let known = with.cells[pair]?;
        let known = if is_turned { turned(known) } else { known };
        (known.low <= known.high).then(|| known.moved(more))
    }

    /// `left op right` holds: what that tells of the difference of their cells.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
    pub(super) fn bound_difference(
        &self,
        instance: InstanceId,
        with: &mut Standing,
        left: &Expression,
        op: BinaryOp,
        right: &Expression,
    ) {
        let (Some(one), Some(other)) = (
            self.form_of(instance, with, left),
            self.form_of(instance, with, right),
        ) else {
            return;
        };
        let Some((pair, is_turned)) = self.tracked.pair(one.cell, other.cell) else {
            return;
        };
        let Some(known) = with.cells[pair] else {
            return;
        };
        // One cell less the other is related so to this.
        let by = other.more.saturating_sub(one.more);
        let (least, greatest) = bounds(difference_type());
        let (low, high) = match op {
            BinaryOp::Less => (least, by - 1),
            BinaryOp::LessEqual => (least, by),
            BinaryOp::Greater => (by + 1, greatest),
            BinaryOp::GreaterEqual => (by, greatest),
            BinaryOp::Equal => (by, by),
            _ => return,
        };
        let told = NumberFacts::within(low, high);
        let told = if is_turned { turned(told) } else { told };
        with.cells[pair] = Some(known.meet(told));
    }
}

/// A register or a constant, though as another type. Of anything else it would take long to find out.
fn is_simple(expression: &Expression) -> bool {
    match expression {
        Expression::Constant(..) | Expression::Register(_) => true,
        Expression::Cast(_, operand) => is_simple(operand),
        Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Select(..) => false,
    }
}

/// The same difference the other way round.
pub(super) fn turned(known: NumberFacts) -> NumberFacts {
    NumberFacts {
        low: known.high.saturating_neg(),
        high: known.low.saturating_neg(),
        ..known
    }
}

/// What is certain of one number less another.
pub(super) fn less(one: NumberFacts, other: NumberFacts) -> NumberFacts {
    let (least, greatest) = bounds(difference_type());
    match exact_range(BinaryOp::Subtract, one, other) {
        Some((low, high)) if low >= least && high <= greatest => NumberFacts::within(low, high),
        Some(_) | None => NumberFacts::any(difference_type()),
    }
}
