//! Unary and binary operators, the conditional operator.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, BinaryOperator, UnaryOperator};

use super::convert::{Operand, bits_of_value, constant, literal};
use super::{Checked, Checker};
use crate::typed::{Arithmetic, Comparison, Expression, ExpressionKind};
use crate::types::{IntegerKind, Qualified, Type};

/// What a binary operator is about.
enum Meaning {
    Arithmetic(Arithmetic),
    Compare(Comparison),
    And,
    Or,
}

fn meaning(operator: BinaryOperator) -> Meaning {
    match operator {
        BinaryOperator::Multiply => Meaning::Arithmetic(Arithmetic::Multiply),
        BinaryOperator::Divide => Meaning::Arithmetic(Arithmetic::Divide),
        BinaryOperator::Remainder => Meaning::Arithmetic(Arithmetic::Remainder),
        BinaryOperator::Add => Meaning::Arithmetic(Arithmetic::Add),
        BinaryOperator::Subtract => Meaning::Arithmetic(Arithmetic::Subtract),
        BinaryOperator::ShiftLeft => Meaning::Arithmetic(Arithmetic::ShiftLeft),
        BinaryOperator::ShiftRight => Meaning::Arithmetic(Arithmetic::ShiftRight),
        BinaryOperator::BitAnd => Meaning::Arithmetic(Arithmetic::And),
        BinaryOperator::BitXor => Meaning::Arithmetic(Arithmetic::Xor),
        BinaryOperator::BitOr => Meaning::Arithmetic(Arithmetic::Or),
        BinaryOperator::Less => Meaning::Compare(Comparison::Less),
        BinaryOperator::Greater => Meaning::Compare(Comparison::Greater),
        BinaryOperator::LessEqual => Meaning::Compare(Comparison::LessEqual),
        BinaryOperator::GreaterEqual => Meaning::Compare(Comparison::GreaterEqual),
        BinaryOperator::Equal => Meaning::Compare(Comparison::Equal),
        BinaryOperator::NotEqual => Meaning::Compare(Comparison::NotEqual),
        BinaryOperator::LogicalAnd => Meaning::And,
        BinaryOperator::LogicalOr => Meaning::Or,
    }
}

/// The operator of `a += b`, if it is one.
pub(super) fn arithmetic_of(operator: BinaryOperator) -> Option<Arithmetic> {
    match meaning(operator) {
        Meaning::Arithmetic(operator) => Some(operator),
        Meaning::Compare(_) | Meaning::And | Meaning::Or => None,
    }
}

pub(super) fn symbol(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::ShiftLeft => "<<",
        Arithmetic::ShiftRight => ">>",
        Arithmetic::And => "&",
        Arithmetic::Xor => "^",
        Arithmetic::Or => "|",
    }
}

/// Whether the operator is for integers only.
pub(super) fn needs_integers(operator: Arithmetic) -> bool {
    match operator {
        Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Add | Arithmetic::Subtract => false,
        Arithmetic::Remainder
        | Arithmetic::ShiftLeft
        | Arithmetic::ShiftRight
        | Arithmetic::And
        | Arithmetic::Xor
        | Arithmetic::Or => true,
    }
}

impl Checker {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &tree::Expression,
        span: Span,
    ) -> Checked<Operand> {
        let operand = self.operand(operand)?;
        match operator {
            UnaryOperator::AddressOf => self.address(operand, span).map(Operand::Value),
            UnaryOperator::Dereference => {
                let pointer = self.rvalue(operand)?;
                self.dereferenced(pointer, span)
            }
            UnaryOperator::LogicalNot => {
                let value = self.rvalue(operand)?;
                let value = self.truth_value(value)?;
                if let Some(truth) = self.known_truth(&value) {
                    return Ok(Operand::Value(self.int(!truth, span)));
                }
                Ok(Operand::Value(Expression {
                    ty: Type::Integer(IntegerKind::Int),
                    kind: ExpressionKind::LogicalNot(Box::new(value)),
                    span,
                }))
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::BitNot => {
                let value = self.rvalue(operand)?;
                self.sign(operator, value, span).map(Operand::Value)
            }
        }
    }

    fn sign(
        &mut self,
        operator: UnaryOperator,
        value: Expression,
        span: Span,
    ) -> Checked<Expression> {
        if matches!(value.ty, Type::Unmodelled(_)) {
            return Ok(self.not_modelled(&value.ty.clone(), value.ty, span));
        }
        let is_allowed = match operator {
            UnaryOperator::BitNot => self.is_integer(&value.ty),
            _ => self.is_arithmetic(&value.ty),
        };
        if !is_allowed {
            let text = self.show(&value.ty);
            return Err(self.error(span, format!("a number is needed here, this is `{text}`")));
        }
        let wide = self.wide_bit_field(&value);
        let mut value = self.promote(value);
        value.span = span;
        let ty = value.ty.clone();
        let result = match operator {
            UnaryOperator::Minus => {
                // The negation of the least number is left to the run.
                let is_least = match (&value.kind, self.int_type(&ty)) {
                    (ExpressionKind::Integer(bits), Some(int)) => {
                        int.is_signed && *bits == int.max() + 1
                    }
                    _ => false,
                };
                let negated = Expression {
                    ty,
                    kind: ExpressionKind::Negate(Box::new(value)),
                    span,
                };
                if is_least {
                    negated
                } else {
                    self.folded_unary(negated)
                }
            }
            UnaryOperator::BitNot => {
                let inverted = Expression {
                    ty,
                    kind: ExpressionKind::BitNot(Box::new(value)),
                    span,
                };
                self.folded_unary(inverted)
            }
            UnaryOperator::Plus
            | UnaryOperator::LogicalNot
            | UnaryOperator::AddressOf
            | UnaryOperator::Dereference => value,
        };
        Ok(self.narrowed(result, wide))
    }

    fn folded_unary(&self, expression: Expression) -> Expression {
        let is_literal = match &expression.kind {
            ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
                constant(operand).is_some()
            }
            _ => false,
        };
        if is_literal
            && let Some(folded) = self.fold(&expression)
            && let Some(kind) = literal(folded)
        {
            return Expression { kind, ..expression };
        }
        expression
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &tree::Expression,
        right: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let left = self.value(left);
        let right = self.value(right);
        let (left, right) = (left?, right?);
        match meaning(operator) {
            Meaning::Arithmetic(operator) => self.arithmetic_operator(operator, left, right, span),
            Meaning::Compare(comparison) => self.comparison(comparison, left, right, span),
            Meaning::And | Meaning::Or => {
                let left = self.truth_value(left)?;
                let right = self.truth_value(right)?;
                let is_and = matches!(operator, BinaryOperator::LogicalAnd);
                match (self.known_truth(&left), self.known_truth(&right)) {
                    (Some(first), _) if first != is_and => return Ok(self.int(first, span)),
                    (Some(_), Some(second)) => return Ok(self.int(second, span)),
                    _ => {}
                }
                let (left, right) = (Box::new(left), Box::new(right));
                Ok(Expression {
                    ty: Type::Integer(IntegerKind::Int),
                    kind: if is_and {
                        ExpressionKind::LogicalAnd(left, right)
                    } else {
                        ExpressionKind::LogicalOr(left, right)
                    },
                    span,
                })
            }
        }
    }

    fn bad_operands(
        &mut self,
        operator: &str,
        left: &Type,
        right: &Type,
        span: Span,
    ) -> super::Poisoned {
        let (left, right) = (self.show(left), self.show(right));
        self.error(
            span,
            format!("`{operator}` is not for operands of types `{left}` and `{right}`"),
        )
    }

    fn arithmetic_operator(
        &mut self,
        operator: Arithmetic,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Checked<Expression> {
        match (&left.ty, &right.ty) {
            (Type::Unmodelled(_), _) | (_, Type::Unmodelled(_)) => {
                let ty = self.common_type(&left.ty, &right.ty);
                return Ok(self.not_modelled(&ty, ty.clone(), span));
            }
            (Type::Pointer(_), Type::Pointer(_)) if operator == Arithmetic::Subtract => {
                return self.pointer_difference(left, right, span);
            }
            (Type::Pointer(_), ty) if self.is_integer(ty) => match operator {
                Arithmetic::Add => return self.pointer_add(left, right, false, span),
                Arithmetic::Subtract => return self.pointer_add(left, right, true, span),
                _ => {}
            },
            (ty, Type::Pointer(_)) if self.is_integer(ty) && operator == Arithmetic::Add => {
                return self.pointer_add(right, left, false, span);
            }
            _ => {}
        }
        let is_allowed = if needs_integers(operator) {
            self.is_integer(&left.ty) && self.is_integer(&right.ty)
        } else {
            self.is_arithmetic(&left.ty) && self.is_arithmetic(&right.ty)
        };
        if !is_allowed {
            return Err(self.bad_operands(
                symbol(operator),
                &left.ty.clone(),
                &right.ty.clone(),
                span,
            ));
        }
        if matches!(operator, Arithmetic::ShiftLeft | Arithmetic::ShiftRight) {
            let wide = self.wide_bit_field(&left);
            let left = self.promote(left);
            let right = self.promote(right);
            let ty = left.ty.clone();
            let result = self.arithmetic(operator, left, right, ty, span);
            return Ok(self.narrowed(result, wide));
        }
        let wide = self.wider_bit_field(&left, &right);
        let (left, right, ty) = self.balance(left, right);
        let result = self.arithmetic(operator, left, right, ty, span);
        Ok(self.narrowed(result, wide))
    }

    /// The width in which gcc computes with two values, if one of them is such a bit-field and the other no wider.
    pub(super) fn wider_bit_field(&self, left: &Expression, right: &Expression) -> Option<u32> {
        let (left_width, right_width) = (self.wide_bit_field(left), self.wide_bit_field(right));
        if left_width.is_none() && right_width.is_none() {
            return None;
        }
        let width = |known: Option<u32>, ty: &Type| {
            known.or_else(|| self.int_type(ty).map(|int| u32::from(int.bits)))
        };
        let widest = width(left_width, &left.ty)?.max(width(right_width, &right.ty)?);
        (widest < 64).then_some(widest)
    }

    /// The width of an unsigned bit-field between `int` and its type: gcc has types of such widths.
    pub(super) fn wide_bit_field(&self, value: &Expression) -> Option<u32> {
        // What was cut already stays of that width. Only our own masks stand where the whole expression stands.
        if let ExpressionKind::Arithmetic(Arithmetic::And, cut, mask) = &value.kind
            && let ExpressionKind::Integer(bits) = mask.kind
            && cut.span == value.span
            && mask.span == value.span
        {
            return Some(bits.count_ones());
        }
        let width = bits_of_value(value)?.width;
        let int = self.int_type(&value.ty)?;
        (!int.is_signed && width > 32 && width < u32::from(int.bits)).then_some(width)
    }

    /// Cuts the result to the width of a bit-field.
    pub(super) fn narrowed(&self, value: Expression, width: Option<u32>) -> Expression {
        let Some(width) = width else { return value };
        if self.wide_bit_field(&value) == Some(width) {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let mask = Expression {
            ty: ty.clone(),
            kind: ExpressionKind::Integer((1 << width) - 1),
            span,
        };
        self.arithmetic(Arithmetic::And, value, mask, ty, span)
    }

    fn pointer_difference(
        &mut self,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Checked<Expression> {
        let Type::Pointer(target) = &left.ty else {
            return Err(self.error(span, "a pointer is needed here"));
        };
        let target = target.ty.clone();
        let size = self.element_size(&target, span)?;
        Ok(Expression {
            ty: self.difference_type(),
            kind: ExpressionKind::PointerDifference {
                left: Box::new(left),
                right: Box::new(right),
                size: Box::new(size),
            },
            span,
        })
    }

    pub(super) fn comparison(
        &mut self,
        comparison: Comparison,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Checked<Expression> {
        let int = Type::Integer(IntegerKind::Int);
        let (left, right) = match (&left.ty, &right.ty) {
            (Type::Unmodelled(_), _) => {
                return Ok(self.not_modelled(&left.ty.clone(), int, span));
            }
            (_, Type::Unmodelled(_)) => {
                return Ok(self.not_modelled(&right.ty.clone(), int, span));
            }
            (Type::Pointer(_), Type::Pointer(_)) => {
                let ty = left.ty.clone();
                let right = self.convert(right, &ty);
                (left, right)
            }
            (Type::Pointer(_), ty) if self.is_integer(ty) => {
                let ty = left.ty.clone();
                let right = self.convert(right, &ty);
                (left, right)
            }
            (ty, Type::Pointer(_)) if self.is_integer(ty) => {
                let ty = right.ty.clone();
                let left = self.convert(left, &ty);
                (left, right)
            }
            (a, b) if self.is_arithmetic(a) && self.is_arithmetic(b) => {
                let (left, right, _) = self.balance(left, right);
                (left, right)
            }
            (a, b) => {
                let (a, b) = (self.show(a), self.show(b));
                let message = format!("values of types `{a}` and `{b}` cannot be compared");
                return Err(self.error(span, message));
            }
        };
        if let (Some(first), Some(second)) = (constant(&left), constant(&right))
            && let Some(holds) = self.fold_compare(comparison, first, second, &left.ty)
        {
            return Ok(self.int(holds, span));
        }
        Ok(Expression {
            ty: int,
            kind: ExpressionKind::Compare(comparison, Box::new(left), Box::new(right)),
            span,
        })
    }

    pub(super) fn conditional(
        &mut self,
        condition: &tree::Expression,
        then: Option<&tree::Expression>,
        otherwise: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let condition = self.condition(condition);
        let then = then.map(|then| self.operand(then));
        let otherwise = self.operand(otherwise);
        let condition = condition?;
        let otherwise = self.dropped(otherwise?);
        let Some(then) = then else {
            let ty = self.branch_type(&condition, &otherwise, span)?;
            let wide = self.wider_bit_field(&condition, &otherwise);
            let otherwise = self.convert(otherwise, &ty);
            if let Some(truth) = self.known_truth(&condition) {
                return Ok(if truth {
                    self.convert(condition, &ty)
                } else {
                    otherwise
                });
            }
            let chosen = Expression {
                ty,
                kind: ExpressionKind::Elvis(Box::new(condition), Box::new(otherwise)),
                span,
            };
            return Ok(self.narrowed(chosen, wide));
        };
        let then = self.dropped(then?);
        let ty = self.branch_type(&then, &otherwise, span)?;
        let wide = self.wider_bit_field(&then, &otherwise);
        let then = self.branch(then, &ty);
        let otherwise = self.branch(otherwise, &ty);
        if let Some(truth) = self.known_truth(&condition) {
            let chosen = if truth { &then } else { &otherwise };
            // Only if nothing is lost: labels in a statement expression may be jumped to.
            if constant(chosen).is_some() {
                return Ok(if truth { then } else { otherwise });
            }
        }
        let chosen = Expression {
            ty,
            kind: ExpressionKind::Conditional(
                Box::new(condition),
                Box::new(then),
                Box::new(otherwise),
            ),
            span,
        };
        Ok(self.narrowed(chosen, wide))
    }

    fn branch(&self, value: Expression, ty: &Type) -> Expression {
        let value = if self.is_arithmetic(ty) && *ty != Type::Bool {
            self.promote(value)
        } else {
            value
        };
        self.convert(value, ty)
    }

    /// The type of `c ? then : otherwise`.
    fn branch_type(
        &mut self,
        then: &Expression,
        otherwise: &Expression,
        span: Span,
    ) -> Checked<Type> {
        match (&then.ty, &otherwise.ty) {
            (Type::Void, _) | (_, Type::Void) => Ok(Type::Void),
            (left, right) if self.is_arithmetic(left) && self.is_arithmetic(right) => {
                let left = self.promoted_type_of(then);
                let right = self.promoted_type_of(otherwise);
                Ok(self.common_type(&left, &right))
            }
            (left, right) if left == right => Ok(left.clone()),
            (left @ Type::Unmodelled(_), right) | (right, left @ Type::Unmodelled(_))
                if self.is_arithmetic(right) || matches!(right, Type::Unmodelled(_)) =>
            {
                Ok(left.clone())
            }
            (Type::Pointer(left), Type::Pointer(right)) => {
                if self.is_null_constant(then) {
                    return Ok(otherwise.ty.clone());
                }
                if self.is_null_constant(otherwise) {
                    return Ok(then.ty.clone());
                }
                // One of them is `void`, or they have nothing in common.
                let target = if self.are_types_compatible(&left.ty, &right.ty) {
                    left.ty.clone()
                } else {
                    Type::Void
                };
                Ok(Type::Pointer(
                    Qualified {
                        ty: target,
                        is_const: left.is_const || right.is_const,
                        is_volatile: left.is_volatile || right.is_volatile,
                        is_atomic: left.is_atomic || right.is_atomic,
                    }
                    .into(),
                ))
            }
            (Type::Pointer(_), right) if self.is_integer(right) => Ok(then.ty.clone()),
            (left, Type::Pointer(_)) if self.is_integer(left) => Ok(otherwise.ty.clone()),
            (left, right) => {
                let (left, right) = (self.show(left), self.show(right));
                Err(self.error(
                    span,
                    format!("one branch has type `{left}`, the other one `{right}`"),
                ))
            }
        }
    }
}
