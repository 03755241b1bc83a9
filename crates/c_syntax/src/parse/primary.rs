//! Operands: names, literals, what stands in parentheses, and the built-in forms that take types.

use super::expressions::node;
use super::scope::Binding;
use super::{Parse, Parser};
use crate::lexer::{Number, read_character, read_number, read_strings};
use crate::message::syntax_error;
use crate::token::{Mark, TokenKind};
use crate::tree::{
    Designator, Expression, ExpressionKind, GenericAssociation, IntegerLiteral, StringLiteral,
};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// An operand with the postfix operators behind it.
    pub(super) fn primary(&mut self) -> Parse<Expression> {
        let start = self.start();
        self.counted(|it| {
            let operand = it.operand()?;
            it.postfix(operand, start)
        })
    }

    fn operand(&mut self) -> Parse<Expression> {
        let token = self.peek();
        let span = self.token_span(token);
        let kind = match token.kind {
            TokenKind::Identifier(symbol) => {
                if self.scopes.get(symbol) == Binding::Typedef {
                    let name = self.lexed.names.name(symbol);
                    return Err(self.messages.push(syntax_error(
                        format!("expected an expression, found the type `{name}`"),
                        span,
                        "this is the name of a type",
                    )));
                }
                self.take();
                ExpressionKind::Identifier(self.lexed.names.name(symbol))
            }
            TokenKind::Number => {
                self.take();
                match read_number(self.source.text(token)) {
                    Ok(Number::Integer(literal)) => ExpressionKind::Integer(literal),
                    Ok(Number::Float(literal)) => ExpressionKind::Float(literal),
                    Err(problem) => {
                        self.messages
                            .push(syntax_error(problem, span, "this literal"));
                        zero()
                    }
                }
            }
            TokenKind::Character => {
                self.take();
                ExpressionKind::Character(read_character(self.source, token, self.messages))
            }
            TokenKind::String => {
                let literal = self.string()?;
                let span = literal.span;
                return Ok(node(ExpressionKind::String(literal), span));
            }
            TokenKind::Mark(Mark::ParenOpen) => return self.parenthesized(),
            TokenKind::Keyword(keyword) => return self.built_in(keyword),
            TokenKind::Mark(_) | TokenKind::Bad | TokenKind::End => {
                return Err(self.expected("an expression"));
            }
        };
        Ok(node(kind, span))
    }

    /// `(a)` or `({ … })`. The parentheses are part of the span.
    fn parenthesized(&mut self) -> Parse<Expression> {
        let open = self.take();
        let mut inner = if self.is_mark(Mark::BraceOpen) {
            self.nested(|it| {
                let block = it.block()?;
                let span = block.span;
                Ok(node(ExpressionKind::Statement(block), span))
            })?
        } else {
            self.nested(Self::expression)?
        };
        self.expect_close(Mark::ParenClose, open)?;
        inner.span = self.span_from(open.start);
        Ok(inner)
    }

    /// Adjacent string literals as one.
    pub(super) fn string(&mut self) -> Parse<StringLiteral> {
        let first = self.at;
        while self.kind() == TokenKind::String {
            self.at += 1;
        }
        if self.at == first {
            return Err(self.expected("a string literal"));
        }
        let tokens = &self.lexed.tokens[first..self.at];
        Ok(read_strings(self.source, tokens, self.messages))
    }

    /// Operands that begin with a keyword.
    fn built_in(&mut self, keyword: Keyword) -> Parse<Expression> {
        let start = self.start();
        let read: fn(&mut Self) -> Parse<ExpressionKind> = match keyword {
            Keyword::Generic => Self::generic,
            Keyword::VaArg => |it| {
                let list = it.assignment()?;
                it.expect(Mark::Comma)?;
                let ty = it.type_name()?;
                Ok(ExpressionKind::VaArg(Box::new(list), Box::new(ty)))
            },
            Keyword::Offsetof => Self::offset,
            Keyword::TypesCompatible => |it| {
                let left = it.type_name()?;
                it.expect(Mark::Comma)?;
                let right = it.type_name()?;
                Ok(ExpressionKind::TypesCompatible(
                    Box::new(left),
                    Box::new(right),
                ))
            },
            Keyword::Choose => |it| {
                let condition = it.assignment()?;
                it.expect(Mark::Comma)?;
                let left = it.assignment()?;
                it.expect(Mark::Comma)?;
                let right = it.assignment()?;
                Ok(ExpressionKind::Choose(
                    Box::new(condition),
                    Box::new(left),
                    Box::new(right),
                ))
            },
            _ => return Err(self.expected("an expression")),
        };
        self.take();
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let kind = self.nested(read)?;
        self.expect_close(Mark::ParenClose, open)?;
        Ok(node(kind, self.span_from(start)))
    }

    fn generic(&mut self) -> Parse<ExpressionKind> {
        let control = self.assignment()?;
        let mut associations = Vec::new();
        while self.eat(Mark::Comma) {
            let ty = if self.eat_keyword(Keyword::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(Mark::Colon)?;
            let value = self.assignment()?;
            associations.push(GenericAssociation { ty, value });
        }
        if associations.is_empty() {
            return Err(self.expected("`,` and a type"));
        }
        Ok(ExpressionKind::Generic(Box::new(control), associations))
    }

    /// `type, a.b[2]`
    fn offset(&mut self) -> Parse<ExpressionKind> {
        let ty = self.type_name()?;
        self.expect(Mark::Comma)?;
        let first = self.identifier("the name of a member")?;
        let mut designators = vec![Designator::Member(first)];
        loop {
            let token = self.peek();
            if self.eat(Mark::Dot) {
                let member = self.identifier("the name of a member")?;
                designators.push(Designator::Member(member));
            } else if self.eat(Mark::Arrow) {
                // `a->b` is `a[0].b`.
                let span = self.token_span(token);
                designators.push(Designator::Index(node(zero(), span)));
                let member = self.identifier("the name of a member")?;
                designators.push(Designator::Member(member));
            } else if self.eat(Mark::BracketOpen) {
                designators.push(Designator::Index(self.expression()?));
                self.expect_close(Mark::BracketClose, token)?;
            } else {
                return Ok(ExpressionKind::Offsetof(Box::new(ty), designators));
            }
        }
    }
}

/// What stands for an operand that could not be read.
pub(super) fn zero() -> ExpressionKind {
    ExpressionKind::Integer(IntegerLiteral {
        value: 0,
        is_decimal: true,
        is_unsigned: false,
        longs: 0,
        is_imaginary: false,
    })
}
