//! Conditions, and what is evaluated on one only: in one expression where that needs no action, on branches otherwise.

use raddle_base::Span;
use raddle_ir::{Action, BinaryOp, Expression, LocationId, Scalar};

use crate::lower::body::{FunctionLowering, Storage, Value, negated};
use crate::lower::places::is_long_double;
use crate::lower::scalars;
use crate::typed::{self, Comparison, ExpressionKind, Lvalue, LvalueKind};
use crate::types::Type;

impl FunctionLowering<'_, '_> {
    /// Whether a scalar is not zero, as a `u1`.
    pub(in crate::lower) fn condition(&mut self, expression: &typed::Expression) -> Value {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::LogicalNot(operand) => {
                let operand = self.condition(operand);
                Value {
                    depth: operand.depth + 1,
                    expression: negated(operand.expression),
                }
            }
            ExpressionKind::Compare(comparison, left, right) => {
                self.in_open_order(&[left, right], span);
                let left = self.value(left);
                let right = self.value(right);
                let op = match comparison {
                    Comparison::Less => BinaryOp::Less,
                    Comparison::Greater => BinaryOp::Greater,
                    Comparison::LessEqual => BinaryOp::LessEqual,
                    Comparison::GreaterEqual => BinaryOp::GreaterEqual,
                    Comparison::Equal => BinaryOp::Equal,
                    Comparison::NotEqual => BinaryOp::NotEqual,
                };
                self.binary(op, left, right, span)
            }
            ExpressionKind::LogicalAnd(first, second)
            | ExpressionKind::LogicalOr(first, second) => {
                let is_and = matches!(expression.kind, ExpressionKind::LogicalAnd(..));
                if self.is_pure(second) {
                    let first = self.condition(first);
                    let second = self.condition(second);
                    let known: Value = Expression::bool(!is_and).into();
                    return if is_and {
                        self.select(first, second, known, span)
                    } else {
                        self.select(first, known, second, span)
                    };
                }
                let truth = self.temporary(Scalar::BOOL);
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.branch_on(expression, yes, no);
                for (start, value) in [(yes, true), (no, false)] {
                    self.here = start;
                    self.connect(
                        Action::Assign {
                            target: truth,
                            value: Expression::bool(value),
                        },
                        end,
                        Some(span),
                    );
                }
                self.here = end;
                Expression::Register(truth).into()
            }
            ExpressionKind::Cast(operand)
                if matches!(expression.ty, Type::Bool)
                    && self.lowering.scalar(&operand.ty).is_some() =>
            {
                self.condition(operand)
            }
            _ => {
                let value = self.value(expression);
                let scalar = self.scalar_of(&value);
                Value {
                    depth: value.depth + 1,
                    expression: scalars::is_nonzero(value.expression, scalar),
                }
            }
        }
    }

    /// Goes on at `yes` if a scalar is not zero, at `no` if it is.
    pub(in crate::lower) fn branch_on(
        &mut self,
        expression: &typed::Expression,
        yes: LocationId,
        no: LocationId,
    ) {
        match &expression.kind {
            ExpressionKind::LogicalNot(operand) => self.branch_on(operand, no, yes),
            ExpressionKind::LogicalAnd(first, second) if !self.is_pure(second) => {
                let more = self.new_location();
                self.branch_on(first, more, no);
                self.here = more;
                self.branch_on(second, yes, no);
            }
            ExpressionKind::LogicalOr(first, second) if !self.is_pure(second) => {
                let more = self.new_location();
                self.branch_on(first, yes, more);
                self.here = more;
                self.branch_on(second, yes, no);
            }
            _ => {
                let condition = self.condition(expression);
                self.branch(condition, yes, no, expression.span);
            }
        }
    }

    pub(super) fn conditional(
        &mut self,
        condition: &typed::Expression,
        then: &typed::Expression,
        otherwise: &typed::Expression,
        scalar: Scalar,
        span: Span,
    ) -> Value {
        if self.is_pure(then) && self.is_pure(otherwise) {
            let condition = self.condition(condition);
            if let Expression::Constant(bits, _) = condition.expression {
                return self.value(if bits == 0 { otherwise } else { then });
            }
            let then = self.value(then);
            let otherwise = self.value(otherwise);
            return self.select(condition, then, otherwise, span);
        }
        self.chosen(condition, [then, otherwise], scalar, span, Self::value)
    }

    /// What evaluating one of two branches gives, in a register.
    pub(in crate::lower) fn chosen(
        &mut self,
        condition: &typed::Expression,
        branches: [&typed::Expression; 2],
        scalar: Scalar,
        span: Span,
        evaluate: impl Fn(&mut Self, &typed::Expression) -> Value,
    ) -> Value {
        let chosen = self.temporary(scalar);
        self.in_one_of(condition, branches, span, |this, branch| {
            let value = evaluate(this, branch);
            Action::Assign {
                target: chosen,
                value: value.expression,
            }
        });
        Expression::Register(chosen).into()
    }

    /// Evaluates one of two branches, the first if the condition holds; each ends with an action of its own.
    pub(in crate::lower) fn in_one_of(
        &mut self,
        condition: &typed::Expression,
        [then, otherwise]: [&typed::Expression; 2],
        span: Span,
        evaluate: impl Fn(&mut Self, &typed::Expression) -> Action,
    ) {
        let (yes, no, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch_on(condition, yes, no);
        for (start, branch) in [(yes, then), (no, otherwise)] {
            self.here = start;
            let last = evaluate(self, branch);
            self.connect(last, end, Some(span));
        }
        self.here = end;
    }

    /// `first ?: second`
    pub(super) fn elvis(
        &mut self,
        first: &typed::Expression,
        second: &typed::Expression,
        ty: &Type,
        scalar: Scalar,
        span: Span,
    ) -> Value {
        let value = self.value(first);
        let from = self.scalar_of(&value);
        let value = self.in_temporary(value, span);
        let is_set: Value = scalars::is_nonzero(value.expression.clone(), from).into();
        let value = self.convert(value, scalar, matches!(ty, Type::Bool));
        if self.is_pure(second) {
            let other = self.value(second);
            return self.select(is_set, value, other, span);
        }
        let chosen = self.temporary(scalar);
        self.assign(chosen, value, span);
        let (no, end) = (self.new_location(), self.new_location());
        self.branch(is_set, end, no, span);
        self.here = no;
        let other = self.value(second);
        self.connect(
            Action::Assign {
                target: chosen,
                value: other.expression,
            },
            end,
            Some(span),
        );
        self.here = end;
        Expression::Register(chosen).into()
    }

    /// Whether evaluating needs no action of its own: constants and registers only. Looks only so deep.
    fn is_pure(&mut self, expression: &typed::Expression) -> bool {
        self.is_pure_within(expression, 12)
    }

    fn is_pure_within(&mut self, expression: &typed::Expression, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if is_long_double(&expression.ty) || self.lowering.scalar(&expression.ty).is_none() {
            return false;
        }
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::FunctionAddress(_)
            | ExpressionKind::LabelAddress(_) => true,
            ExpressionKind::Load(place) => matches!(
                place.kind,
                LvalueKind::Local(local) if matches!(self.storage(local), Storage::Register(_))
            ),
            ExpressionKind::AddressOf(place) => self.is_pure_address(place, depth),
            ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::LogicalNot(operand) => self.is_pure_within(operand, depth),
            ExpressionKind::Cast(operand) => self.is_pure_within(operand, depth),
            ExpressionKind::Arithmetic(_, left, right)
            | ExpressionKind::Compare(_, left, right)
            | ExpressionKind::LogicalAnd(left, right)
            | ExpressionKind::LogicalOr(left, right) => {
                self.is_pure_within(left, depth) && self.is_pure_within(right, depth)
            }
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                ..
            } => {
                self.is_pure_within(pointer, depth)
                    && self.is_pure_within(index, depth)
                    && self.is_pure_within(size, depth)
            }
            ExpressionKind::PointerDifference { left, right, size } => {
                self.is_pure_within(left, depth)
                    && self.is_pure_within(right, depth)
                    && self.is_pure_within(size, depth)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.is_pure_within(condition, depth)
                    && self.is_pure_within(then, depth)
                    && self.is_pure_within(otherwise, depth)
            }
            ExpressionKind::Elvis(..)
            | ExpressionKind::Comma(..)
            | ExpressionKind::Assign(..)
            | ExpressionKind::Update { .. }
            | ExpressionKind::Call(..)
            | ExpressionKind::Statements(..)
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Alloca(_)
            | ExpressionKind::OverflowArithmetic { .. }
            | ExpressionKind::Atomic(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => false,
        }
    }

    fn is_pure_address(&mut self, place: &Lvalue, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match &place.kind {
            LvalueKind::Local(_) => true,
            LvalueKind::Object(object) => {
                let object = &self.lowering.module.objects[*object];
                object.is_defined || object.size > 0
            }
            LvalueKind::Dereference(pointer) => self.is_pure_within(pointer, depth),
            LvalueKind::Field(record, _, None) => self.is_pure_address(record, depth),
            LvalueKind::Field(_, _, Some(_))
            | LvalueKind::CompoundLiteral(..)
            | LvalueKind::Value(..) => false,
        }
    }
}
