//! Expressions of every type.

use raddle_base::Id;
use raddle_ir::{
    BinaryOp, Expression, FloatType, FunctionId, GlobalId, RegisterId, Scalar, UnaryOp,
};

use super::{Scope, Wild};

impl Wild<'_> {
    pub(super) fn bits(&mut self, ty: Scalar) -> u128 {
        let mask = ty.mask(self.draft.model);
        let all =
            u128::from(self.random.next_number()) << 64 | u128::from(self.random.next_number());
        let special = [0, 1, mask, mask >> 1, (mask >> 1) + 1, all];
        match ty {
            Scalar::Float(FloatType::F32) if self.random.chance(60) => {
                let values = [1.5, -2.25, 0.1, f32::NAN, f32::INFINITY, -0.0, 1e30, 1e-30];
                self.random.pick(&values).to_bits().into()
            }
            Scalar::Float(FloatType::F64) if self.random.chance(60) => {
                let values = [
                    1.5,
                    -2.25,
                    0.1,
                    f64::NAN,
                    f64::NEG_INFINITY,
                    -0.0,
                    1e300,
                    1e-300,
                ];
                self.random.pick(&values).to_bits().into()
            }
            _ => *self.random.pick(&special) & mask,
        }
    }

    pub(super) fn constant(&mut self, ty: Scalar) -> Expression {
        Expression::Constant(self.bits(ty), ty)
    }

    /// An expression of a type over some registers.
    pub(super) fn expression(&mut self, ty: Scalar, scope: Scope, depth: usize) -> Expression {
        let fitting: Vec<RegisterId> = scope
            .iter()
            .filter(|(_, other)| *other == ty)
            .map(|(register, _)| *register)
            .collect();
        if depth == 0 || self.random.chance(20) {
            if !fitting.is_empty() && self.random.chance(70) {
                return Expression::Register(*self.random.pick(&fitting));
            }
            return match ty {
                Scalar::Pointer if self.random.chance(50) => self.address(),
                Scalar::Thread if self.random.chance(50) => Expression::CurrentThread,
                _ => self.constant(ty),
            };
        }
        let below = depth - 1;
        if self.random.chance(12) {
            return Expression::Select(
                Box::new(self.expression(Scalar::BOOL, scope, below)),
                Box::new(self.expression(ty, scope, below)),
                Box::new(self.expression(ty, scope, below)),
            );
        }
        if self.random.chance(12) {
            let from = match ty {
                Scalar::Int(_) => self.scalar(),
                Scalar::Float(_) if self.random.chance(50) => Scalar::Float(FloatType::F32),
                _ if self.random.chance(30) => ty,
                _ => Scalar::Int(self.int()),
            };
            return self.expression(from, scope, below).cast(ty);
        }
        self.operation(ty, scope, below)
    }

    pub(super) fn operation(&mut self, ty: Scalar, scope: Scope, depth: usize) -> Expression {
        let two = |wild: &mut Self, op, ty| {
            let (left, right) = (
                wild.expression(ty, scope, depth),
                wild.expression(ty, scope, depth),
            );
            Expression::binary(op, left, right)
        };
        match ty {
            Scalar::BOOL if self.random.chance(60) => {
                let of = self.scalar();
                let ops: &[BinaryOp] = if of == Scalar::Thread {
                    &[BinaryOp::Equal, BinaryOp::NotEqual]
                } else {
                    &[
                        BinaryOp::Equal,
                        BinaryOp::NotEqual,
                        BinaryOp::Less,
                        BinaryOp::LessEqual,
                        BinaryOp::Greater,
                        BinaryOp::GreaterEqual,
                    ]
                };
                let op = *self.random.pick(ops);
                two(self, op, of)
            }
            Scalar::Int(int) => {
                if int == self.draft.model.signed_word() && self.random.chance(20) {
                    return two(self, BinaryOp::Distance, Scalar::Pointer);
                }
                match self.random.below(8) {
                    0 => {
                        let ops = [
                            UnaryOp::Negate,
                            UnaryOp::NegateWrapping,
                            UnaryOp::Not,
                            UnaryOp::Settle,
                            UnaryOp::IsSet,
                        ];
                        let op = *self.random.pick(&ops);
                        Expression::Unary(op, Box::new(self.expression(ty, scope, depth)))
                    }
                    1 => {
                        let amount = Scalar::Int(self.int());
                        let op = *self.random.pick(&[
                            BinaryOp::ShiftLeft,
                            BinaryOp::ShiftRight,
                            BinaryOp::ShiftLeftWrapping,
                            BinaryOp::ShiftRightWrapping,
                        ]);
                        let left = self.expression(ty, scope, depth);
                        Expression::binary(op, left, self.expression(amount, scope, depth))
                    }
                    _ => {
                        let op = *self.random.pick(&[
                            BinaryOp::Add,
                            BinaryOp::Subtract,
                            BinaryOp::Multiply,
                            BinaryOp::AddWrapping,
                            BinaryOp::SubtractWrapping,
                            BinaryOp::MultiplyWrapping,
                            BinaryOp::Divide,
                            BinaryOp::Remainder,
                            BinaryOp::And,
                            BinaryOp::Or,
                            BinaryOp::Xor,
                        ]);
                        two(self, op, ty)
                    }
                }
            }
            Scalar::Float(_) => {
                if self.random.chance(20) {
                    let inner = self.expression(ty, scope, depth);
                    return Expression::Unary(UnaryOp::Negate, Box::new(inner));
                }
                let op = *self.random.pick(&[
                    BinaryOp::Add,
                    BinaryOp::Subtract,
                    BinaryOp::Multiply,
                    BinaryOp::Divide,
                ]);
                two(self, op, ty)
            }
            Scalar::Pointer => {
                let amount = Scalar::Int(self.int());
                let base = self.expression(Scalar::Pointer, scope, depth);
                let amount = self.expression(amount, scope, depth);
                Expression::binary(BinaryOp::Offset, base, amount)
            }
            Scalar::Thread => self.expression(ty, scope, 0),
        }
    }

    /// The address of a global or function, perhaps of a part of it.
    pub(super) fn address(&mut self) -> Expression {
        if self.random.chance(20) && !self.draft.functions.is_empty() {
            let at = self.random.below(self.draft.functions.len());
            return Expression::Function(FunctionId::from_index(at));
        }
        let global = GlobalId::from_index(self.random.below(self.draft.globals.len()));
        let base = Expression::Global(global);
        match self.random.below(4) {
            0 => base,
            1 => {
                let mut int = self.int();
                int.bits = int.bits.min(64);
                let amount = self.constant(Scalar::Int(int));
                Expression::binary(BinaryOp::Offset, base, amount)
            }
            2 => Expression::at_offset(base, self.random.below(70) as u64, self.draft.model),
            _ => {
                let ty = self.draft.globals[global].ty.clone();
                let (offset, _) = self.part(&ty);
                Expression::at_offset(base, offset, self.draft.model)
            }
        }
    }
}
