//! Arithmetic on numbers and pointers.

use raddle_base::Span;
use raddle_ir::{BinaryOp, Expression, IntType, Scalar, UnaryOp};

use crate::lower::body::{FunctionLowering, Value};
use crate::lower::order;
use crate::lower::scalars::INT;
use crate::typed::{self, Arithmetic, Lvalue};
use crate::types::Type;

impl FunctionLowering<'_, '_> {
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

    pub(super) fn pointer_add(
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

    pub(super) fn pointer_difference(
        &mut self,
        left: &typed::Expression,
        right: &typed::Expression,
        size: &typed::Expression,
        span: Span,
    ) -> Value {
        self.in_open_order(&[left, right], span);
        let left = self.value(left);
        let right = self.value(right);
        let size = self.value(size);
        let bytes = self.binary(BinaryOp::Distance, left, right, span);
        let word = Scalar::Int(self.lowering.model().signed_word());
        let size = self.convert(size, word, false);
        match size.expression {
            Expression::Constant(1, _) => bytes,
            // Of elements without size, gcc makes nothing useful; neither do we.
            _ => self.binary(BinaryOp::Divide, bytes, size, span),
        }
    }

    /// The exact result in 128 bits, cut to its type; whether it did not fit, as a `u1`.
    pub(super) fn overflow_arithmetic(
        &mut self,
        operator: Arithmetic,
        left: &typed::Expression,
        right: &typed::Expression,
        result: Option<&Lvalue>,
        result_type: &Type,
        span: Span,
    ) -> Value {
        let address = result.into_iter().flat_map(order::operands_of);
        let operands: Vec<&typed::Expression> = [left, right].into_iter().chain(address).collect();
        self.in_open_order(&operands, span);
        let left = self.value(left);
        let right = self.value(right);
        let spot = result.map(|result| self.spot(result));
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
        if let Some(spot) = spot {
            self.store_plainly(&spot, cut.clone(), narrow, span);
        }
        let back = self.convert(cut, wide, false);
        self.binary(BinaryOp::NotEqual, back, exact, span)
    }
}
