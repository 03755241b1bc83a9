//! Pure expressions, which need no action of their own and do not nest too deep.

use raddle_base::Span;
use raddle_ir::{BinaryOp, Expression, Scalar, UnaryOp};

use crate::lower::scalars;
use crate::typed::{self, ExpressionKind, LvalueKind};

use super::{FunctionLowering, Storage};

/// Deeper expressions are split, since programs nest them only so deep.
const DEEPEST: u32 = 40;

/// A pure expression and how deep it nests.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Value {
    pub(in crate::lower) expression: Expression,
    pub(in crate::lower) depth: u32,
}

impl From<Expression> for Value {
    fn from(expression: Expression) -> Self {
        Self {
            expression,
            depth: 1,
        }
    }
}

impl FunctionLowering<'_, '_> {
    pub(in crate::lower) fn scalar_of(&self, value: &Value) -> Scalar {
        value
            .expression
            .scalar(&self.function.registers, self.lowering.model())
    }

    /// The value in a register, so that nothing later changes it and nothing nests on it.
    pub(in crate::lower) fn in_temporary(&mut self, value: Value, span: Span) -> Value {
        match value.expression {
            Expression::Constant(..) | Expression::Global(_) | Expression::Function(_) => {
                return value;
            }
            Expression::Register(register) if !self.variables.contains(&register) => return value,
            _ => {}
        }
        let register = self.temporary(self.scalar_of(&value));
        self.assign(register, value, span);
        Expression::Register(register).into()
    }

    /// Whether an expression is a local that the user never wrote, and that lives in a register.
    pub(in crate::lower) fn is_hidden_local(&mut self, expression: &typed::Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Load(place) => match place.kind {
                LvalueKind::Local(local) => {
                    self.source.locals[local].is_hidden
                        && matches!(self.storage(local), Storage::Register(_))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The value, which nothing changes any more before it is used: a variable needs no copy.
    pub(in crate::lower) fn in_register(&mut self, value: Value, span: Span) -> Value {
        match value.expression {
            Expression::Register(_) => value,
            _ => self.in_temporary(value, span),
        }
    }

    fn shallow(&mut self, value: Value, span: Span) -> Value {
        if value.depth > DEEPEST {
            self.in_temporary(value, span)
        } else {
            value
        }
    }

    pub(in crate::lower) fn binary(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        let left = self.shallow(left, span);
        let right = self.shallow(right, span);
        Value {
            depth: left.depth.max(right.depth) + 1,
            expression: Expression::binary(op, left.expression, right.expression),
        }
    }

    pub(in crate::lower) fn unary(&mut self, op: UnaryOp, operand: Value, span: Span) -> Value {
        let operand = self.shallow(operand, span);
        Value {
            depth: operand.depth + 1,
            expression: Expression::Unary(op, Box::new(operand.expression)),
        }
    }

    pub(in crate::lower) fn select(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
        span: Span,
    ) -> Value {
        let condition = self.shallow(condition, span);
        let then = self.shallow(then, span);
        let otherwise = self.shallow(otherwise, span);
        Value {
            depth: condition.depth.max(then.depth).max(otherwise.depth) + 1,
            expression: Expression::Select(
                Box::new(condition.expression),
                Box::new(then.expression),
                Box::new(otherwise.expression),
            ),
        }
    }

    pub(in crate::lower) fn convert(&mut self, value: Value, to: Scalar, to_bool: bool) -> Value {
        let from = self.scalar_of(&value);
        let model = self.lowering.model();
        Value {
            depth: value.depth + 2,
            expression: scalars::convert(value.expression, from, to, to_bool, model),
        }
    }

    /// An address so many bytes on.
    pub(in crate::lower) fn displaced(&mut self, address: Value, bytes: u64, span: Span) -> Value {
        let address = self.shallow(address, span);
        Value {
            depth: address.depth + 1,
            expression: Expression::at_offset(address.expression, bytes, self.lowering.model()),
        }
    }
}

/// The opposite of a condition.
pub(in crate::lower) fn negated(condition: Expression) -> Expression {
    let opposite = |op: BinaryOp| match op {
        BinaryOp::Equal => Some(BinaryOp::NotEqual),
        BinaryOp::NotEqual => Some(BinaryOp::Equal),
        // Not of comparisons by size: floats that are no numbers are neither less nor greater.
        _ => None,
    };
    match condition {
        Expression::Unary(UnaryOp::Not, inner) => *inner,
        Expression::Binary(op, left, right) if opposite(op).is_some() => {
            Expression::Binary(opposite(op).expect("just seen"), left, right)
        }
        Expression::Constant(bits, ty) => Expression::Constant(bits ^ 1, ty),
        other => other.not(),
    }
}
