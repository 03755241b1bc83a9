//! Operators.

use raddle_base::Span;

use super::{Parse, Parser};
use crate::token::{Mark, TokenKind};
use crate::tree::{
    BinaryOperator, Expression, ExpressionKind, Identifier, TypeName, UnaryOperator,
};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.counted(|it| {
            let mut left = it.assignment()?;
            while it.eat(Mark::Comma) {
                let right = it.assignment()?;
                let span = left.span.to(right.span);
                left = node(ExpressionKind::Comma(Box::new(left), Box::new(right)), span);
                it.grow(1, span).inspect_err(|_| take_apart(&mut left))?;
            }
            Ok(left)
        })
    }

    /// An expression without commas outside of parentheses.
    pub(super) fn assignment(&mut self) -> Parse<Expression> {
        self.counted(|it| {
            let mut targets: Vec<(Option<BinaryOperator>, Expression)> = Vec::new();
            let mut value = loop {
                let left = it.conditional()?;
                let TokenKind::Mark(mark) = it.kind() else {
                    break left;
                };
                let operator = compound_operator(mark);
                if operator.is_none() && mark != Mark::Equal {
                    break left;
                }
                it.take();
                targets.push((operator, left));
            };
            it.grow(targets.len(), value.span)?;
            while let Some((operator, target)) = targets.pop() {
                let span = target.span.to(value.span);
                let kind = ExpressionKind::Assign(operator, Box::new(target), Box::new(value));
                value = node(kind, span);
            }
            Ok(value)
        })
    }

    /// An expression without assignments and commas outside of parentheses.
    pub(super) fn conditional(&mut self) -> Parse<Expression> {
        self.counted(|it| {
            let mut conditions: Vec<(Expression, Option<Expression>)> = Vec::new();
            let mut value = loop {
                let condition = it.binary(0)?;
                if !it.eat(Mark::Question) {
                    break condition;
                }
                let middle = if it.is_mark(Mark::Colon) {
                    None
                } else {
                    Some(it.nested(Self::expression)?)
                };
                it.expect(Mark::Colon)?;
                conditions.push((condition, middle));
            };
            it.grow(conditions.len(), value.span)?;
            while let Some((condition, middle)) = conditions.pop() {
                let span = condition.span.to(value.span);
                let kind = ExpressionKind::Conditional(
                    Box::new(condition),
                    middle.map(Box::new),
                    Box::new(value),
                );
                value = node(kind, span);
            }
            Ok(value)
        })
    }

    /// Operands joined by operators that bind at least as strongly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Parse<Expression> {
        self.counted(|it| {
            let mut left = it.cast()?;
            while let Some((operator, strength)) = binary_operator(it.kind())
                && strength >= weakest
            {
                it.take();
                let right = it.binary(strength + 1)?;
                let span = left.span.to(right.span);
                left = node(
                    ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                    span,
                );
                it.grow(1, span).inspect_err(|_| take_apart(&mut left))?;
            }
            Ok(left)
        })
    }

    fn cast(&mut self) -> Parse<Expression> {
        if !self.is_mark(Mark::ParenOpen) || !self.begins_type_name(1) {
            return self.unary();
        }
        let start = self.start();
        let ty = self.parenthesized_type_name()?;
        if self.is_mark(Mark::BraceOpen) {
            return self.compound_literal(ty, start);
        }
        let operand = self.nested(Self::cast)?;
        let span = self.span_from(start);
        Ok(node(
            ExpressionKind::Cast(Box::new(ty), Box::new(operand)),
            span,
        ))
    }

    /// `(type){ … }` and what follows it, from its `{` on.
    fn compound_literal(&mut self, ty: TypeName, start: u32) -> Parse<Expression> {
        let list = self.nested(Self::initializer_list)?;
        let span = self.span_from(start);
        let literal = node(ExpressionKind::CompoundLiteral(Box::new(ty), list), span);
        self.postfix(literal, start)
    }

    /// `(type)`
    pub(super) fn parenthesized_type_name(&mut self) -> Parse<TypeName> {
        let open = self.take();
        let ty = self.nested(Self::type_name)?;
        self.expect_close(Mark::ParenClose, open)?;
        Ok(ty)
    }

    fn unary(&mut self) -> Parse<Expression> {
        let start = self.start();
        match self.kind() {
            TokenKind::Mark(mark) => {
                if let Some(operator) = unary_operator(mark) {
                    self.take();
                    let operand = self.nested(Self::cast)?;
                    let kind = ExpressionKind::Unary(operator, Box::new(operand));
                    return Ok(node(kind, self.span_from(start)));
                }
                match mark {
                    Mark::PlusPlus | Mark::MinusMinus => {
                        self.take();
                        let operand = self.nested(Self::unary)?;
                        let kind = ExpressionKind::Increment {
                            operand: Box::new(operand),
                            is_decrement: mark == Mark::MinusMinus,
                            is_prefix: true,
                        };
                        Ok(node(kind, self.span_from(start)))
                    }
                    Mark::AndAnd => {
                        self.take();
                        let label = self.identifier("the name of a label")?;
                        let kind = ExpressionKind::LabelAddress(label);
                        Ok(node(kind, self.span_from(start)))
                    }
                    _ => self.primary(),
                }
            }
            TokenKind::Keyword(Keyword::Sizeof) => self.size_or_alignment(
                |it| ExpressionKind::SizeofExpression(Box::new(it)),
                |it| ExpressionKind::SizeofType(Box::new(it)),
            ),
            TokenKind::Keyword(Keyword::Alignof) => self.size_or_alignment(
                |it| ExpressionKind::AlignofExpression(Box::new(it)),
                |it| ExpressionKind::AlignofType(Box::new(it)),
            ),
            TokenKind::Keyword(Keyword::PreferredAlignof) => self.size_or_alignment(
                |it| ExpressionKind::AlignofExpression(Box::new(it)),
                |it| ExpressionKind::PreferredAlignofType(Box::new(it)),
            ),
            TokenKind::Keyword(Keyword::Extension) => {
                self.take();
                self.nested(Self::cast)
            }
            TokenKind::Keyword(Keyword::Real) => self.part(ExpressionKind::Real),
            TokenKind::Keyword(Keyword::Imaginary) => self.part(ExpressionKind::Imaginary),
            TokenKind::Keyword(_)
            | TokenKind::Identifier(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => self.primary(),
        }
    }

    /// `__real__ a`, `__imag__ a`
    fn part(&mut self, kind: fn(Box<Expression>) -> ExpressionKind) -> Parse<Expression> {
        let start = self.start();
        self.take();
        let operand = self.nested(Self::cast)?;
        Ok(node(kind(Box::new(operand)), self.span_from(start)))
    }

    /// `sizeof a`, `sizeof(type)` and the same of alignments.
    fn size_or_alignment(
        &mut self,
        of_expression: fn(Expression) -> ExpressionKind,
        of_type: fn(TypeName) -> ExpressionKind,
    ) -> Parse<Expression> {
        let start = self.start();
        self.take();
        let kind = if self.is_mark(Mark::ParenOpen) && self.begins_type_name(1) {
            let operand_start = self.start();
            let ty = self.parenthesized_type_name()?;
            if self.is_mark(Mark::BraceOpen) {
                of_expression(self.compound_literal(ty, operand_start)?)
            } else {
                of_type(ty)
            }
        } else {
            of_expression(self.nested(Self::unary)?)
        };
        Ok(node(kind, self.span_from(start)))
    }

    /// What may follow an operand that began at `start`: calls, indices, members, increments.
    pub(super) fn postfix(&mut self, operand: Expression, start: u32) -> Parse<Expression> {
        let mut operand = operand;
        loop {
            let TokenKind::Mark(mark) = self.kind() else {
                return Ok(operand);
            };
            let kind = match mark {
                Mark::ParenOpen => {
                    let arguments = self.call_arguments()?;
                    ExpressionKind::Call(Box::new(operand), arguments)
                }
                Mark::BracketOpen => {
                    let open = self.take();
                    let index = self.nested(Self::expression)?;
                    self.expect_close(Mark::BracketClose, open)?;
                    ExpressionKind::Index(Box::new(operand), Box::new(index))
                }
                Mark::Dot | Mark::Arrow => {
                    self.take();
                    ExpressionKind::Member {
                        operand: Box::new(operand),
                        member: self.identifier("the name of a member")?,
                        is_arrow: mark == Mark::Arrow,
                    }
                }
                Mark::PlusPlus | Mark::MinusMinus => {
                    self.take();
                    ExpressionKind::Increment {
                        operand: Box::new(operand),
                        is_decrement: mark == Mark::MinusMinus,
                        is_prefix: false,
                    }
                }
                _ => return Ok(operand),
            };
            let span = self.span_from(start);
            operand = node(kind, span);
            self.grow(1, span)
                .inspect_err(|_| take_apart(&mut operand))?;
        }
    }

    /// `(a, b)` after what is called. After an error in it reading goes on behind its end.
    fn call_arguments(&mut self) -> Parse<Vec<Expression>> {
        let open = self.take();
        let mut arguments = Vec::new();
        let read = self.nested(|it| {
            if it.is_mark(Mark::ParenClose) {
                return Ok(());
            }
            loop {
                arguments.push(it.assignment()?);
                if !it.eat(Mark::Comma) {
                    return Ok(());
                }
            }
        });
        match read.and_then(|()| self.expect_close(Mark::ParenClose, open)) {
            Ok(()) => Ok(arguments),
            Err(reported) => match self.skip_to_paren(false) {
                Ok(()) => Ok(arguments),
                Err(()) => Err(reported),
            },
        }
    }

    pub(super) fn identifier(&mut self, what: &str) -> Parse<Identifier> {
        match self.eat_identifier() {
            Some(identifier) => Ok(identifier),
            None => Err(self.expected(what)),
        }
    }
}

pub(super) fn node(kind: ExpressionKind, span: Span) -> Expression {
    Expression { kind, span }
}

/// Drops a long chain from its end to its beginning, without a recursion as deep as the chain.
fn take_apart(chain: &mut Expression) {
    let nothing = || ExpressionKind::Identifier("".into());
    let mut rest = std::mem::replace(&mut chain.kind, nothing());
    loop {
        let (ExpressionKind::Comma(mut left, _)
        | ExpressionKind::Binary(_, mut left, _)
        | ExpressionKind::Call(mut left, _)
        | ExpressionKind::Index(mut left, _)
        | ExpressionKind::Member {
            operand: mut left, ..
        }
        | ExpressionKind::Increment {
            operand: mut left, ..
        }) = rest
        else {
            return;
        };
        rest = std::mem::replace(&mut left.kind, nothing());
    }
}

fn unary_operator(mark: Mark) -> Option<UnaryOperator> {
    match mark {
        Mark::Plus => Some(UnaryOperator::Plus),
        Mark::Minus => Some(UnaryOperator::Minus),
        Mark::Tilde => Some(UnaryOperator::BitNot),
        Mark::Bang => Some(UnaryOperator::LogicalNot),
        Mark::Ampersand => Some(UnaryOperator::AddressOf),
        Mark::Star => Some(UnaryOperator::Dereference),
        _ => None,
    }
}

/// With how strongly it binds.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOperator, u8)> {
    let TokenKind::Mark(mark) = kind else {
        return None;
    };
    let found = match mark {
        Mark::OrOr => (BinaryOperator::LogicalOr, 0),
        Mark::AndAnd => (BinaryOperator::LogicalAnd, 1),
        Mark::Pipe => (BinaryOperator::BitOr, 2),
        Mark::Caret => (BinaryOperator::BitXor, 3),
        Mark::Ampersand => (BinaryOperator::BitAnd, 4),
        Mark::EqualEqual => (BinaryOperator::Equal, 5),
        Mark::BangEqual => (BinaryOperator::NotEqual, 5),
        Mark::Less => (BinaryOperator::Less, 6),
        Mark::Greater => (BinaryOperator::Greater, 6),
        Mark::LessEqual => (BinaryOperator::LessEqual, 6),
        Mark::GreaterEqual => (BinaryOperator::GreaterEqual, 6),
        Mark::ShiftLeft => (BinaryOperator::ShiftLeft, 7),
        Mark::ShiftRight => (BinaryOperator::ShiftRight, 7),
        Mark::Plus => (BinaryOperator::Add, 8),
        Mark::Minus => (BinaryOperator::Subtract, 8),
        Mark::Star => (BinaryOperator::Multiply, 9),
        Mark::Slash => (BinaryOperator::Divide, 9),
        Mark::Percent => (BinaryOperator::Remainder, 9),
        _ => return None,
    };
    Some(found)
}

/// The operator that an assignment contains.
fn compound_operator(mark: Mark) -> Option<BinaryOperator> {
    match mark {
        Mark::StarEqual => Some(BinaryOperator::Multiply),
        Mark::SlashEqual => Some(BinaryOperator::Divide),
        Mark::PercentEqual => Some(BinaryOperator::Remainder),
        Mark::PlusEqual => Some(BinaryOperator::Add),
        Mark::MinusEqual => Some(BinaryOperator::Subtract),
        Mark::ShiftLeftEqual => Some(BinaryOperator::ShiftLeft),
        Mark::ShiftRightEqual => Some(BinaryOperator::ShiftRight),
        Mark::AmpersandEqual => Some(BinaryOperator::BitAnd),
        Mark::CaretEqual => Some(BinaryOperator::BitXor),
        Mark::PipeEqual => Some(BinaryOperator::BitOr),
        _ => None,
    }
}
