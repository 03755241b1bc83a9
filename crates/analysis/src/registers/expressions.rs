//! What is certain of the value of an expression, from what is certain of the registers.

use raddle_base::Id;
use raddle_ir::arithmetic::signed_value;
use raddle_ir::{BinaryOp, Expression, Scalar, UnaryOp};

use crate::call_graph::InstanceId;
use crate::numbers::{Known, compute};

use super::Registers;

impl Registers<'_, '_> {
    /// What is certain of a value.
    pub(crate) fn evaluate(
        &self,
        instance: InstanceId,
        frame: &[Known],
        expression: &Expression,
    ) -> Known {
        let model = self.points_to.program.model;
        let scalar = |it: &Expression| self.scalar(instance, it);
        let value = |it: &Expression| self.evaluate(instance, frame, it);
        match expression {
            Expression::Constant(bits, Scalar::Int(int)) => {
                if int.bits > 64 {
                    return Known::any(Scalar::Int(*int));
                }
                Known::exactly(signed_value(*bits, *int))
            }
            Expression::Constant(bits, ty) => Known {
                is_not_null: *bits != 0,
                ..Known::any(*ty)
            },
            Expression::Register(register) => {
                frame.get(register.index()).copied().unwrap_or(Known::UNSET)
            }
            Expression::Global(_) | Expression::Function(_) => Known::address(),
            Expression::CurrentThread => Known::any(Scalar::Thread),
            Expression::Unary(UnaryOp::Settle, operand) => {
                let mut known = Known::any(scalar(operand));
                known.is_defined = true;
                known
            }
            Expression::Unary(UnaryOp::Not, operand) if scalar(operand) == Scalar::BOOL => {
                let known = value(operand);
                if known.low > known.high {
                    return Known::any(Scalar::BOOL);
                }
                Known::within(1 - known.high, 1 - known.low)
            }
            Expression::Unary(_, operand) => Known::any(scalar(operand)),
            // A pointer keeps its object, so one that is not null stays so.
            Expression::Binary(BinaryOp::Offset, base, _) => Known {
                is_defined: true,
                ..value(base)
            },
            Expression::Binary(op, left, right) => match scalar(left) {
                Scalar::Int(int) if op.is_comparison() => {
                    compare(*op, value(left), value(right), int.bits)
                }
                Scalar::Int(int) => {
                    let right = if matches!(scalar(right), Scalar::Int(it) if it.bits <= 64) {
                        value(right)
                    } else {
                        Known::any(scalar(right))
                    };
                    compute(*op, value(left), right, int)
                }
                ty @ (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => {
                    if op.is_comparison() {
                        Known::any(Scalar::BOOL)
                    } else if *op == BinaryOp::Distance {
                        Known::any(Scalar::Int(model.signed_word()))
                    } else {
                        Known::any(ty)
                    }
                }
            },
            Expression::Cast(to, operand) => {
                let known = value(operand);
                let any = Known::any(*to);
                let is_within = known.is_within(any.low, any.high);
                let cast = match (scalar(operand), to) {
                    (Scalar::Int(from), Scalar::Int(to))
                        if is_within && from.bits <= 64 && to.bits <= 64 =>
                    {
                        known
                    }
                    (Scalar::Pointer, Scalar::Pointer) => known,
                    (Scalar::Pointer, Scalar::Int(int))
                        if u32::from(int.bits) >= model.pointer_bits() =>
                    {
                        Known {
                            is_not_null: known.is_not_null,
                            ..any
                        }
                    }
                    (_, _) => any,
                };
                Known {
                    is_defined: known.is_defined,
                    ..cast
                }
            }
            Expression::Select(_, then, otherwise) => value(then).join(value(otherwise)),
        }
    }

    pub(crate) fn scalar(&self, instance: InstanceId, expression: &Expression) -> Scalar {
        let function = self.points_to.graph.instances[instance].function;
        let registers = &self.points_to.program.functions[function].registers;
        expression.scalar(registers, self.points_to.program.model)
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn compare(op: BinaryOp, left: Known, right: Known, bits: u8) -> Known {
    if bits > 64 || left.low > left.high || right.low > right.high {
        return Known::any(Scalar::BOOL);
    }
    let apart = left.high < right.low || right.high < left.low;
    let is_same = left.low == left.high && left == right;
    let truth = match op {
        BinaryOp::Less => decided(left.high < right.low, left.low >= right.high),
        BinaryOp::LessEqual => decided(left.high <= right.low, left.low > right.high),
        BinaryOp::Greater => decided(left.low > right.high, left.high <= right.low),
        BinaryOp::GreaterEqual => decided(left.low >= right.high, left.high < right.low),
        BinaryOp::Equal => decided(is_same, apart),
        BinaryOp::NotEqual => decided(apart, is_same),
        _ => None,
    };
    truth.map_or(Known::any(Scalar::BOOL), |it| {
        Known::exactly(i128::from(it))
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
