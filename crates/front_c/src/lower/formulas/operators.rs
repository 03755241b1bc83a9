//! What operators make of the parts of a formula.

use raddle_c_syntax::tree::{BinaryOperator, Expression as Tree, UnaryOperator};
use raddle_ir::{BinaryOp, Expression, Scalar, UnaryOp};

use crate::lower::annotations::Made;

use super::{FormulaValue, Maker, NUMBER};

impl Maker<'_, '_> {
    pub(super) fn unary(&mut self, operator: UnaryOperator, operand: &Tree) -> Made<FormulaValue> {
        let operand = self.value(operand)?;
        match operator {
            UnaryOperator::LogicalNot => {
                let truth = self.truth(operand)?;
                Ok(FormulaValue::Truth(Expression::Unary(
                    UnaryOp::Not,
                    Box::new(truth),
                )))
            }
            UnaryOperator::Minus => {
                let number = self.number(operand)?;
                Ok(FormulaValue::Number(Expression::Unary(
                    UnaryOp::NegateWrapping,
                    Box::new(number),
                )))
            }
            UnaryOperator::Plus
            | UnaryOperator::BitNot
            | UnaryOperator::AddressOf
            | UnaryOperator::Dereference => self.refuse("an annotation has no such operator"),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: FormulaValue,
        right: FormulaValue,
    ) -> Made<FormulaValue> {
        let arithmetic = match operator {
            BinaryOperator::Add => Some(BinaryOp::AddWrapping),
            BinaryOperator::Subtract => Some(BinaryOp::SubtractWrapping),
            BinaryOperator::Multiply => Some(BinaryOp::MultiplyWrapping),
            _ => None,
        };
        if let Some(op) = arithmetic {
            let (left, right) = (self.number(left)?, self.number(right)?);
            return Ok(FormulaValue::Number(Expression::binary(op, left, right)));
        }
        // The right side counts only if it must: it may have no value where the left side decides.
        let is_and = operator == BinaryOperator::LogicalAnd;
        if is_and || operator == BinaryOperator::LogicalOr {
            let (left, right) = (self.truth(left)?, self.truth(right)?);
            let (left, right) = (Box::new(left), Box::new(right));
            let decided = Box::new(Expression::bool(!is_and));
            return Ok(FormulaValue::Truth(if is_and {
                Expression::Select(left, right, decided)
            } else {
                Expression::Select(left, decided, right)
            }));
        }
        let op = match operator {
            BinaryOperator::Equal => BinaryOp::Equal,
            BinaryOperator::NotEqual => BinaryOp::NotEqual,
            BinaryOperator::Less => BinaryOp::Less,
            BinaryOperator::LessEqual => BinaryOp::LessEqual,
            BinaryOperator::Greater => BinaryOp::Greater,
            BinaryOperator::GreaterEqual => BinaryOp::GreaterEqual,
            _ => return self.refuse("an annotation has no such operator"),
        };
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let (left, right) = match (left, right) {
            (FormulaValue::Thread(left), FormulaValue::Thread(right)) if is_equality => {
                (left, right)
            }
            (FormulaValue::Pointer(left, _), FormulaValue::Pointer(right, _)) if is_equality => {
                (left, right)
            }
            (FormulaValue::Pointer(left, _), FormulaValue::Number(Expression::Constant(0, _)))
                if is_equality =>
            {
                (left, Expression::null())
            }
            (left, right) => (self.number(left)?, self.number(right)?),
        };
        Ok(FormulaValue::Truth(Expression::binary(op, left, right)))
    }

    pub(super) fn truth(&self, value: FormulaValue) -> Made<Expression> {
        match value {
            FormulaValue::Truth(truth) => Ok(truth),
            FormulaValue::Number(number) => Ok(Expression::binary(
                BinaryOp::NotEqual,
                number,
                Expression::Constant(0, Scalar::Int(NUMBER)),
            )),
            FormulaValue::Pointer(pointer, _) => Ok(Expression::binary(
                BinaryOp::NotEqual,
                pointer,
                Expression::null(),
            )),
            FormulaValue::Thread(_) => self.refuse("a thread is no condition"),
        }
    }

    pub(super) fn number(&self, value: FormulaValue) -> Made<Expression> {
        match value {
            FormulaValue::Number(number) => Ok(number),
            FormulaValue::Truth(truth) => {
                Ok(Expression::Cast(Scalar::Int(NUMBER), Box::new(truth)))
            }
            FormulaValue::Thread(_) | FormulaValue::Pointer(..) => {
                self.refuse("threads and pointers can only be compared with `==` and `!=`")
            }
        }
    }
}
