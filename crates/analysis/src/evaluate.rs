//! What an expression may give, as far as addresses and names of threads are concerned.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_ir::arithmetic::signed_value;
use raddle_ir::{BinaryOp, DataModel, Expression, FunctionId, IntType, Program, Scalar, UnaryOp};

use crate::call_graph::ThreadId;
use crate::objects::ObjectKind;
use crate::value::{Amount, ObjectId, Offset, Value, ValueSet, greatest_divisor};

/// Evaluates over what the registers of one instance may hold.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FunctionId,
    pub(crate) thread: ThreadId,
    pub(crate) objects: &'a BTreeMap<ObjectKind, ObjectId>,
    pub(crate) registers: &'a [ValueSet],
}

/// Any value of a type that was computed from nothing that is known.
pub(crate) fn number(ty: Scalar, model: DataModel) -> ValueSet {
    let is_small = match ty {
        // Zero or sign extended, its high bits are all zeros or all ones. No object has the number 0, and none
        // with long pointers has the number of all ones.
        Scalar::Int(int) => {
            u32::from(int.bits) <= model.offset_bits()
                && (!int.is_signed || model == DataModel::Lp64)
        }
        Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => false,
    };
    ValueSet::of(if is_small {
        Value::Small
    } else {
        Value::Number
    })
}

impl Evaluator<'_> {
    pub(crate) fn values(&self, expression: &Expression) -> ValueSet {
        let model = self.program.model;
        match expression {
            Expression::Constant(bits, ty) => constant(*bits, *ty, model),
            Expression::Register(register) => self
                .registers
                .get(register.index())
                .cloned()
                .unwrap_or_default(),
            Expression::Global(global) => {
                let kind = if self.program.globals[*global].is_thread_local {
                    ObjectKind::ThreadLocal(*global, self.thread)
                } else {
                    ObjectKind::Global(*global)
                };
                self.objects.get(&kind).map_or_else(
                    || ValueSet::of(Value::Number),
                    |object| ValueSet::of(Value::Address(*object, Offset::exactly(0))),
                )
            }
            Expression::Function(function) => ValueSet::of(Value::Function(*function)),
            Expression::CurrentThread => ValueSet::of(Value::Number),
            Expression::Unary(UnaryOp::Settle, operand) => {
                let mut found = self.values(operand);
                found.insert(Value::Null);
                found
            }
            Expression::Unary(
                UnaryOp::Negate | UnaryOp::NegateWrapping | UnaryOp::Not | UnaryOp::IsSet,
                _,
            ) => number(self.scalar(expression), model),
            Expression::Binary(BinaryOp::Offset, base, amount) => {
                let amount = self.amount(amount);
                let mut found = ValueSet::default();
                for value in self.values(base).iter() {
                    match value {
                        Value::Address(object, offset) => {
                            // What goes below its object may come back.
                            let moved = offset.moved(amount).unwrap_or(Offset::ANY);
                            found.insert(Value::Address(object, moved));
                        }
                        // The number of the object stays what it is; a function has only one address.
                        Value::Small | Value::Number => {
                            found.insert(value);
                        }
                        Value::Null => {
                            found.insert(Value::Small);
                        }
                        Value::Function(_) => {
                            found.insert(value);
                            found.insert(Value::Small);
                        }
                        Value::Thread(_) => {
                            found.insert(Value::Number);
                        }
                    }
                }
                found
            }
            Expression::Binary(op, _, _) if op.is_comparison() => ValueSet::of(Value::Small),
            Expression::Binary(..) => number(self.scalar(expression), model),
            Expression::Cast(to, operand) => self.cast(*to, operand),
            Expression::Select(_, then, otherwise) => {
                let mut found = self.values(then);
                found.add(&self.values(otherwise));
                found
            }
        }
    }

    fn scalar(&self, expression: &Expression) -> Scalar {
        let registers = &self.program.functions[self.function].registers;
        expression.scalar(registers, self.program.model)
    }

    fn cast(&self, to: Scalar, operand: &Expression) -> ValueSet {
        let model = self.program.model;
        let from = self.scalar(operand);
        let is_whole =
            |ty: Scalar| !matches!(ty, Scalar::Float(_)) && ty.bits(model) >= model.pointer_bits();
        match (is_whole(from), is_whole(to)) {
            (true, true) => self.values(operand),
            // What was small stays small, if the cast does not change its bits.
            (false, true) if !matches!(from, Scalar::Float(_)) => number(from, model),
            (_, _) => number(to, model),
        }
    }

    /// What is known of a number of bytes.
    fn amount(&self, expression: &Expression) -> Amount {
        match expression {
            Expression::Constant(bits, Scalar::Int(int)) => {
                Amount::exactly(signed_value(*bits, *int))
            }
            Expression::Binary(BinaryOp::Multiply | BinaryOp::MultiplyWrapping, left, right) => {
                let (one, other) = (self.amount(left), self.amount(right));
                let (factor, counted, count) = match (one.stride, other.stride) {
                    (0, _) => (one.remainder, other, right),
                    (_, 0) => (other.remainder, one, left),
                    (_, _) => return Amount::ANY,
                };
                let Ok(factor) = u64::try_from(factor.unsigned_abs()) else {
                    return Amount::ANY;
                };
                if factor == 0 {
                    return Amount::exactly(0);
                }
                if factor >= 1 << 31 || counted.stride >= 1 << 31 {
                    return Amount::ANY;
                }
                // Only multiples are kept, which is all that indices need.
                let common = greatest_divisor(
                    counted.stride,
                    u64::try_from(counted.remainder.unsigned_abs()).unwrap_or(1),
                );
                let stride = factor * common.max(1);
                self.multiple(stride, expression, self.is_narrow(count))
            }
            Expression::Binary(BinaryOp::Add | BinaryOp::AddWrapping, left, right) => {
                let (one, other) = (self.amount(left), self.amount(right));
                let common = [one, other]
                    .iter()
                    .map(|it| {
                        let rest = u64::try_from(it.remainder.unsigned_abs()).unwrap_or(1);
                        greatest_divisor(it.stride, rest)
                    })
                    .fold(0, greatest_divisor);
                self.multiple(common.max(1), expression, false)
            }
            Expression::Cast(Scalar::Int(to), operand) => match self.scalar(operand) {
                // A wider type holds the same number; an unsigned one holds it if it was unsigned.
                Scalar::Int(from) if to.bits > from.bits && (to.is_signed || !from.is_signed) => {
                    self.amount(operand)
                }
                // As many bits: the same number up to a power of two.
                Scalar::Int(from) if to.bits == from.bits => {
                    let inner = self.amount(operand);
                    let rest = u64::try_from(inner.remainder.unsigned_abs()).unwrap_or(1);
                    let common = greatest_divisor(inner.stride, rest);
                    self.multiple(common.max(1), expression, false)
                }
                Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => Amount::ANY,
            },
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => Amount::ANY,
        }
    }

    /// A multiple of `stride`; of its largest power of two if the operation may wrap.
    fn multiple(&self, stride: u64, expression: &Expression, is_exact: bool) -> Amount {
        let Scalar::Int(ty) = self.scalar(expression) else {
            return Amount::ANY;
        };
        let power = stride & stride.wrapping_neg();
        let stride = if is_exact && ty.bits >= 64 {
            stride
        } else if power.trailing_zeros() < u32::from(ty.bits) {
            power
        } else {
            1
        };
        Amount {
            stride,
            remainder: 0,
        }
    }

    /// Whether its number is less than 2^32 in size, so that a product of it with less than 2^31 fits 64 bits.
    fn is_narrow(&self, expression: &Expression) -> bool {
        let fits = |int: IntType| int.bits <= 32;
        match expression {
            Expression::Cast(Scalar::Int(to), operand) => match self.scalar(operand) {
                Scalar::Int(from) => {
                    fits(from) && to.bits > from.bits && (to.is_signed || !from.is_signed)
                }
                Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => false,
            },
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => false,
        }
    }
}

fn constant(bits: u128, ty: Scalar, model: DataModel) -> ValueSet {
    let is_float = matches!(ty, Scalar::Float(_));
    if bits == 0 {
        return ValueSet::of(Value::Null);
    }
    ValueSet::of(if bits >> model.offset_bits() == 0 && !is_float {
        Value::Small
    } else {
        Value::Number
    })
}
