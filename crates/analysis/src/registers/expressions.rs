//! What is certain of the value of an expression, from what is certain of the registers.

use raddle_base::Id;
use raddle_ir::arithmetic::signed_value;
use raddle_ir::{BinaryOp, Expression, Scalar, UnaryOp};

use crate::call_graph::InstanceId;
use crate::numbers::{NumberFacts, compute, exact_range, offset_end};
use crate::value::Value;

use super::{Registers, Standing};

impl Registers<'_, '_> {
    /// What is certain of a value.
    pub(crate) fn evaluate(
        &self,
        instance: InstanceId,
        with: &Standing,
        expression: &Expression,
    ) -> NumberFacts {
        let model = self.points_to.program.model;
        let scalar = |it: &Expression| self.scalar(instance, it);
        let value = |it: &Expression| self.evaluate(instance, with, it);
        // Who computes with a number that was never set may get any.
        let computed_with = |it: &Expression| {
            let known = value(it);
            match scalar(it) {
                ty @ Scalar::Int(_) if !known.is_defined => NumberFacts::any(ty),
                Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => known,
            }
        };
        match expression {
            Expression::Constant(bits, Scalar::Int(int)) => {
                if int.bits > 64 {
                    return NumberFacts::any(Scalar::Int(*int));
                }
                NumberFacts::exactly(signed_value(*bits, *int))
            }
            Expression::Constant(bits, ty) => NumberFacts {
                is_not_null: *bits != 0,
                ..NumberFacts::any(*ty)
            },
            Expression::Register(register) => (with.registers)
                .get(register.index())
                .copied()
                .unwrap_or(NumberFacts::UNSET),
            Expression::Global(_) | Expression::Function(_) => NumberFacts::address(),
            Expression::CurrentThread => NumberFacts::any(Scalar::Thread),
            Expression::Unary(UnaryOp::Settle, operand) => {
                let mut known = NumberFacts::any(scalar(operand));
                known.is_defined = true;
                known
            }
            Expression::Unary(UnaryOp::IsSet, operand) => {
                let least = i128::from(value(operand).is_defined);
                NumberFacts::within(least, 1)
            }
            Expression::Unary(UnaryOp::Not, operand) if scalar(operand) == Scalar::BOOL => {
                let known = value(operand);
                if known.low > known.high {
                    return NumberFacts::any(Scalar::BOOL);
                }
                NumberFacts::within(1 - known.high, 1 - known.low)
            }
            Expression::Unary(_, operand) => NumberFacts::any(scalar(operand)),
            // A pointer keeps its object, so one that is not null stays so.
            Expression::Binary(BinaryOp::Offset, base, amount) => {
                let (base, amount) = (value(base), computed_with(amount));
                let apart = exact_range(BinaryOp::Add, base, amount);
                let offset = match apart {
                    Some((low, high)) if low >= 0 && high < offset_end(model) => {
                        NumberFacts::within(low, high)
                    }
                    Some(_) | None => NumberFacts::any(Scalar::Pointer),
                };
                NumberFacts {
                    is_not_null: base.is_not_null,
                    ..offset
                }
            }
            Expression::Binary(op, left, right) => match scalar(left) {
                Scalar::Int(int) if op.is_comparison() => {
                    let known = compare(*op, computed_with(left), computed_with(right), int.bits);
                    let apart = self.difference(instance, with, left, right);
                    let zero = NumberFacts::exactly(0);
                    apart.map_or(known, |it| known.meet(compare(*op, it, zero, 64)))
                }
                Scalar::Int(int) => {
                    let right_side = &**right;
                    let right = if matches!(scalar(right), Scalar::Int(it) if it.bits <= 64) {
                        computed_with(right)
                    } else {
                        NumberFacts::any(scalar(right))
                    };
                    let known = compute(*op, computed_with(left), right, int);
                    let is_less = matches!(op, BinaryOp::Subtract | BinaryOp::SubtractWrapping);
                    let apart = is_less
                        .then(|| self.difference(instance, with, left, right_side))
                        .flatten();
                    let any = NumberFacts::any(Scalar::Int(int));
                    match apart {
                        Some(it) if it.is_within(any.low, any.high) => known.meet(it),
                        Some(_) | None => known,
                    }
                }
                ty @ (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => {
                    if op.is_comparison() {
                        NumberFacts::any(Scalar::BOOL)
                    } else if *op == BinaryOp::Distance {
                        NumberFacts::any(Scalar::Int(model.signed_word()))
                    } else {
                        NumberFacts::any(ty)
                    }
                }
            },
            Expression::Cast(to, operand) => {
                let known = value(operand);
                let any = NumberFacts::any(*to);
                let is_within = known.is_within(any.low, any.high);
                let cast = match (scalar(operand), to) {
                    (Scalar::Int(from), Scalar::Int(to))
                        if is_within && from.bits <= 64 && to.bits <= 64 =>
                    {
                        known
                    }
                    (Scalar::Pointer, Scalar::Pointer) => known,
                    // A number so small is that of no object, and stays what it is.
                    (Scalar::Int(_), Scalar::Pointer)
                        if known.is_within(0, offset_end(model) - 1) =>
                    {
                        known
                    }
                    (Scalar::Pointer, Scalar::Int(int))
                        if is_within && int.bits <= 64 && self.is_small(instance, operand) =>
                    {
                        known
                    }
                    (Scalar::Pointer, Scalar::Int(int))
                        if u32::from(int.bits) >= model.pointer_bits() =>
                    {
                        NumberFacts {
                            is_not_null: known.is_not_null,
                            ..any
                        }
                    }
                    (_, _) => any,
                };
                NumberFacts {
                    is_defined: known.is_defined,
                    ..cast
                }
            }
            Expression::Select(_, then, otherwise) => value(then).join(value(otherwise)),
        }
    }

    /// Whether a pointer is that of no object, but a number as small as an offset.
    fn is_small(&self, instance: InstanceId, pointer: &Expression) -> bool {
        let values = self.points_to.values(instance, pointer);
        values.iter().all(|it| match it {
            Value::Null | Value::Small => true,
            Value::Number | Value::Address(..) | Value::Function(_) | Value::Thread(_) => false,
        })
    }

    pub(crate) fn scalar(&self, instance: InstanceId, expression: &Expression) -> Scalar {
        let function = self.points_to.graph.instances[instance].function;
        let registers = &self.points_to.program.functions[function].registers;
        expression.scalar(registers, self.points_to.program.model)
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn compare(op: BinaryOp, left: NumberFacts, right: NumberFacts, bits: u8) -> NumberFacts {
    if bits > 64 || left.low > left.high || right.low > right.high {
        return NumberFacts::any(Scalar::BOOL);
    }
    let apart = left.high < right.low || right.high < left.low;
    let is_same = left.low == left.high && (left.low, left.high) == (right.low, right.high);
    let truth = match op {
        BinaryOp::Less => decided(left.high < right.low, left.low >= right.high),
        BinaryOp::LessEqual => decided(left.high <= right.low, left.low > right.high),
        BinaryOp::Greater => decided(left.low > right.high, left.high <= right.low),
        BinaryOp::GreaterEqual => decided(left.low >= right.high, left.high < right.low),
        BinaryOp::Equal => decided(is_same, apart),
        BinaryOp::NotEqual => decided(apart, is_same),
        _ => None,
    };
    truth.map_or(NumberFacts::any(Scalar::BOOL), |it| {
        NumberFacts::exactly(i128::from(it))
    })
}

fn decided(is_true: bool, is_false: bool) -> Option<bool> {
    if is_true {
        Some(true)
    } else if is_false {
        Some(false)
    } else {
        None
    }
}
