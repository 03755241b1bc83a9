//! The initial contents of objects with static storage.

use raddle_c_syntax::tree::Initializer;

use super::fold::Constant;
use super::initial::with_type;
use super::leaf::{Leaf, Sink};
use super::{Checked, Checker};
use crate::typed::{ConstantValue, Expression, ExpressionKind, InitialPiece, ObjectId, PieceValue};
use crate::types::{FloatKind, Qualified, Type};

impl Checker {
    /// Initialises the object and returns its type, with its length if that was open.
    pub(super) fn static_initial(
        &mut self,
        object: ObjectId,
        initializer: &Initializer,
    ) -> Checked<Qualified> {
        let ty = self.objects[object].ty.clone();
        let mut sink = Sink::of_static();
        let completed = self.initialise(&ty.ty, (0, None), initializer, &mut sink)?;
        let completed = with_type(&ty, completed);
        self.facts_of_object(object).initialised_size = sink.size();
        let mut pieces = Vec::with_capacity(sink.leaves.len());
        let mut outcome = Ok(());
        for leaf in sink.leaves {
            match self.constant_leaf(leaf) {
                Ok(piece) => pieces.push(piece),
                Err(poisoned) => outcome = Err(poisoned),
            }
        }
        outcome?;
        pieces.sort_by_key(|piece| {
            let first = piece.bits.map_or(0, |bits| bits.first);
            (piece.offset * 8 + first, first)
        });
        self.objects[object].initial = pieces;
        Ok(completed)
    }

    fn constant_leaf(&mut self, leaf: Leaf) -> Checked<InitialPiece> {
        let value = match leaf.value {
            PieceValue::Bytes(bytes) => ConstantValue::Bytes(bytes),
            PieceValue::Expression(expression) => {
                let folded = self.fold(&expression);
                let value = folded.and_then(|constant| self.constant_value(constant, &leaf.ty));
                match value {
                    Some(value) => value,
                    None if is_beyond_us(&expression) => {
                        return Err(self.unsupported_error(
                            leaf.span,
                            "this initial value is a constant that is not supported",
                        ));
                    }
                    None => {
                        return Err(self.error(leaf.span, "the initial value is not a constant"));
                    }
                }
            }
        };
        let value = match (value, leaf.bits) {
            (ConstantValue::Bits(bits, ty), Some(field)) => {
                let mask = u128::MAX >> (128 - field.width.clamp(1, 128));
                ConstantValue::Bits(bits & mask, ty)
            }
            (value, _) => value,
        };
        Ok(InitialPiece {
            offset: leaf.offset,
            bits: leaf.bits,
            value,
        })
    }

    fn constant_value(&self, constant: Constant, ty: &Type) -> Option<ConstantValue> {
        match (constant, ty) {
            (Constant::Integer(bits), ty) if self.int_type(ty).is_some() => {
                Some(ConstantValue::Bits(bits, ty.clone()))
            }
            (Constant::Float(value), Type::Float(kind)) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the value is rounded to float already"
                )]
                let bits = match kind {
                    FloatKind::Float => u128::from((value as f32).to_bits()),
                    FloatKind::Double | FloatKind::LongDouble => u128::from(value.to_bits()),
                };
                Some(ConstantValue::Bits(bits, ty.clone()))
            }
            (Constant::Address(base, offset), ty) if self.int_type(ty).is_some() => {
                Some(ConstantValue::Address(base, offset, ty.clone()))
            }
            _ => None,
        }
    }
}

/// Whether it may be a constant in C, though not for us: labels' distances, complex numbers.
fn is_beyond_us(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Unsupported(_) | ExpressionKind::LabelAddress(_) => true,
        ExpressionKind::Cast(operand)
        | ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::LogicalNot(operand) => is_beyond_us(operand),
        ExpressionKind::Arithmetic(_, left, right)
        | ExpressionKind::PointerDifference { left, right, .. }
        | ExpressionKind::Compare(_, left, right) => is_beyond_us(left) || is_beyond_us(right),
        ExpressionKind::PointerAdd { pointer, .. } => is_beyond_us(pointer),
        _ => false,
    }
}
