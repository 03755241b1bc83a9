//! Expressions, with the precedence of C.

use raddle_base::Span;
use raddle_ir::{BinaryOp, UnaryOp};

use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Logic, UnarySign};

use super::{HIGHEST, Parsed, Parser};

/// A binary operator and how tightly it binds.
#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOp),
    Logic(Logic),
}

/// Whether a word is a binary operator, as `and` is.
pub(super) fn is_operator(word: &str) -> bool {
    operator_of(word).is_some()
}

fn operator_of(mark: &str) -> Option<(u32, Operator)> {
    let (binding, op) = match mark {
        "*" => (10, BinaryOp::Multiply),
        "*%" => (10, BinaryOp::MultiplyWrapping),
        "/" => (10, BinaryOp::Divide),
        "%" => (10, BinaryOp::Remainder),
        "+" => (9, BinaryOp::Add),
        "+%" => (9, BinaryOp::AddWrapping),
        "-" => (9, BinaryOp::Subtract),
        "-%" => (9, BinaryOp::SubtractWrapping),
        "<<" => (8, BinaryOp::ShiftLeft),
        "<<%" => (8, BinaryOp::ShiftLeftWrapping),
        ">>" => (8, BinaryOp::ShiftRight),
        ">>%" => (8, BinaryOp::ShiftRightWrapping),
        "<" => (7, BinaryOp::Less),
        "<=" => (7, BinaryOp::LessEqual),
        ">" => (7, BinaryOp::Greater),
        ">=" => (7, BinaryOp::GreaterEqual),
        "==" => (6, BinaryOp::Equal),
        "!=" => (6, BinaryOp::NotEqual),
        "&" => (5, BinaryOp::And),
        "^" => (4, BinaryOp::Xor),
        "|" => (3, BinaryOp::Or),
        "and" | "&&" => return Some((2, Operator::Logic(Logic::And))),
        "or" | "||" => return Some((1, Operator::Logic(Logic::Or))),
        _ => return None,
    };
    Some((binding, Operator::Plain(op)))
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr<'s>> {
        self.deeper(|this| {
            let condition = this.binary(1)?;
            if this.continues_line() && this.is_mark("?") {
                this.conditional(condition)
            } else {
                Ok(condition)
            }
        })
    }

    // Functions that nest in one another keep rare cases in functions of their own: that makes their frames small.

    /// After the condition.
    fn conditional(&mut self, condition: Expr<'s>) -> Parsed<Expr<'s>> {
        self.expect_mark("?")?;
        let then = self.expression()?;
        self.expect_mark(":")?;
        let otherwise = self.expression()?;
        let span = condition.span.to(otherwise.span);
        let height = condition.height.max(then.height).max(otherwise.height);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.node(kind, span, height)
    }

    pub(super) fn node(
        &mut self,
        kind: ExprKind<'s>,
        span: Span,
        below: usize,
    ) -> Parsed<Expr<'s>> {
        if below >= HIGHEST {
            return Err(self.too_high(span));
        }
        Ok(Expr {
            kind,
            span,
            height: below + 1,
        })
    }

    pub(super) fn leaf(kind: ExprKind<'s>, span: Span) -> Expr<'s> {
        Expr {
            kind,
            span,
            height: 1,
        }
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u32) -> Parsed<Expr<'s>> {
        let left = self.cast()?;
        self.binary_from(left, least)
    }

    /// The same after its first operand; chains are read in a loop.
    pub(super) fn binary_from(&mut self, mut left: Expr<'s>, least: u32) -> Parsed<Expr<'s>> {
        while self.continues_line() {
            let token = self.peek();
            let text = match token.kind {
                TokenKind::Mark(mark) => mark,
                TokenKind::Word => self.text_of(token),
                _ => break,
            };
            let Some((binding, operator)) = operator_of(text) else {
                break;
            };
            if binding < least {
                break;
            }
            // `choose { … } or { … }`
            if text == "or" && self.is_mark_at(1, "{") {
                break;
            }
            self.advance();
            let right = self.binary(binding + 1)?;
            let span = left.span.to(right.span);
            let height = left.height.max(right.height);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Operator::Plain(op) => ExprKind::Binary(op, left_box, right_box),
                Operator::Logic(logic) => ExprKind::Logic(logic, left_box, right_box),
            };
            left = self.node(kind, span, height)?;
        }
        Ok(left)
    }

    fn cast(&mut self) -> Parsed<Expr<'s>> {
        let mut operand = self.unary()?;
        while self.continues_line() && self.is_word("as") {
            self.advance();
            let ty = self.type_expr()?;
            let span = operand.span.to(ty.span);
            let height = operand.height;
            operand = self.node(
                ExprKind::Cast(Box::new(operand), Box::new(ty)),
                span,
                height,
            )?;
        }
        Ok(operand)
    }

    /// Also what may stand left of `=`, and the objects of synchronisation: no binary operator, no cast.
    pub(super) fn unary(&mut self) -> Parsed<Expr<'s>> {
        let token = self.peek();
        let TokenKind::Mark(mark) = token.kind else {
            return self.postfix();
        };
        if mark == "-" && self.peek_at(1).kind == TokenKind::Number {
            self.advance();
            return self.number(Some(token.span));
        }
        let kind: fn(Box<Expr<'s>>) -> ExprKind<'s> = match mark {
            "-" => |it| ExprKind::Unary(UnaryOp::Negate, UnarySign::Other, it),
            "-%" => |it| ExprKind::Unary(UnaryOp::NegateWrapping, UnarySign::Other, it),
            "~" => |it| ExprKind::Unary(UnaryOp::Not, UnarySign::Other, it),
            "?=" => |it| ExprKind::Unary(UnaryOp::IsSet, UnarySign::Other, it),
            "?" => |it| ExprKind::Unary(UnaryOp::Settle, UnarySign::Other, it),
            "!" => |it| ExprKind::Unary(UnaryOp::Not, UnarySign::Exclamation, it),
            "*" => ExprKind::Dereference,
            "&" => ExprKind::AddressOf,
            _ => return self.postfix(),
        };
        self.deeper(|this| {
            this.advance();
            let operand = this.unary()?;
            let span = token.span.to(operand.span);
            let height = operand.height;
            this.node(kind(Box::new(operand)), span, height)
        })
    }

    fn postfix(&mut self) -> Parsed<Expr<'s>> {
        let mut base = self.primary()?;
        while self.continues_line() {
            if self.take_mark(".") {
                let field = self.field_name()?;
                let span = base.span.to(field.span);
                let height = base.height;
                base = self.node(ExprKind::Field(Box::new(base), field), span, height)?;
            } else if self.take_mark("[") {
                self.open += 1;
                let inner = self.expression().and_then(|index| {
                    self.expect_mark("]")?;
                    Ok(index)
                });
                self.open -= 1;
                let index = inner?;
                let span = base.span.to(self.last);
                let height = base.height.max(index.height);
                let kind = ExprKind::Index(Box::new(base), Box::new(index));
                base = self.node(kind, span, height)?;
            } else {
                break;
            }
        }
        Ok(base)
    }
}
