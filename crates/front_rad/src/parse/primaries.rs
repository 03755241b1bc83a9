//! The smallest expressions: literals, names, calls, and words of the language that look like calls.

use raddle_base::Span;
use raddle_ir::{BinaryOp, Order, RmwOperation};

use crate::lexer::{Token, TokenKind};
use crate::literal::{self, Number};
use crate::message::{nearest, syntax_error};
use crate::syntax::{Callee, CompareExchange, Expr, ExprKind};

use super::expressions::is_operator;
use super::{Parsed, Parser};

impl<'s> Parser<'s, '_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr<'s>> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number => self.number(None),
            TokenKind::Character => self.character(),
            TokenKind::Mark("(") => {
                self.advance();
                self.open += 1;
                let mut inner = self.expression();
                if let Ok(expr) = &mut inner {
                    match self.expect_mark(")") {
                        Ok(end) => expr.span = token.span.to(end),
                        Err(reported) => inner = Err(reported),
                    }
                }
                self.open -= 1;
                inner
            }
            TokenKind::Word => self.word_expression(token),
            TokenKind::QuotedWord => self.named(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn character(&mut self) -> Parsed<Expr<'s>> {
        let token = self.advance();
        let text = self.text_of(token);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let value = match literal::unescape(inner) {
            Ok(plain) => {
                let mut chars = plain.chars();
                match (chars.next().map(u32::from), chars.next()) {
                    (Some(code), None) => u8::try_from(code).ok(),
                    _ => None,
                }
            }
            Err(_) => None,
        };
        let Some(value) = value else {
            return Err(self.report(
                syntax_error(
                    "expected one character between the quotes",
                    token.span,
                    "not one byte",
                )
                .help("a character is a `u8`, as in 'a' or '\\n'"),
            ));
        };
        let suffix = Some(literal::Suffix::Int(raddle_ir::IntType::unsigned(8)));
        let kind = ExprKind::Integer {
            value: u128::from(value),
            is_negative: false,
            is_bits: true,
            suffix,
        };
        Ok(Self::leaf(kind, token.span))
    }

    fn word_expression(&mut self, token: Token) -> Parsed<Expr<'s>> {
        let word = self.text_of(token);
        let simple = match word {
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "null" => Some(ExprKind::Null),
            "tid" => Some(ExprKind::ThreadIndex),
            "self" => Some(ExprKind::CurrentThread),
            _ => None,
        };
        if let Some(kind) = simple {
            self.advance();
            return Ok(Self::leaf(kind, token.span));
        }
        if word == "sizeof" {
            self.advance();
            let ty = self.type_expr()?;
            let span = token.span.to(ty.span);
            return Ok(Self::leaf(ExprKind::SizeOf(Box::new(ty)), span));
        }
        // `at` is a name elsewhere; here a label follows it directly.
        if word == "at" {
            let next = self.peek_at(1);
            let is_word = match next.kind {
                TokenKind::Word => !is_operator(self.text_of(next)) && self.text_of(next) != "as",
                TokenKind::QuotedWord | TokenKind::Number => true,
                _ => false,
            };
            if is_word && (self.open > 0 || !next.begins_line) {
                self.advance();
                return self.program_point(token.span);
            }
        }
        if self.is_mark_at(1, "(")
            && let Some(expr) = self.built_in(word, token.span)?
        {
            return Ok(expr);
        }
        self.named()
    }

    /// A name, or a call of it.
    fn named(&mut self) -> Parsed<Expr<'s>> {
        self.forbid_operation()?;
        let name = self.name("an expression")?;
        if self.continues_line() && self.is_mark("(") {
            let (arguments, height) = self.arguments()?;
            let span = name.span.to(self.last);
            return self.node(ExprKind::Call(Callee::Named(name), arguments), span, height);
        }
        Ok(Self::leaf(ExprKind::Name(name.text), name.span))
    }

    /// After `at`: `label`, `f.label` or `f.3`.
    fn program_point(&mut self, start: Span) -> Parsed<Expr<'s>> {
        let first = self.label_name()?;
        let (function, label) = if self.continues_line() && self.take_mark(".") {
            (Some(first.name), self.label_name()?)
        } else {
            (None, first)
        };
        let span = start.to(label.name.span);
        Ok(Self::leaf(ExprKind::At { function, label }, span))
    }

    /// `(a, b)` with the height of the highest.
    pub(super) fn arguments(&mut self) -> Parsed<(Vec<Expr<'s>>, usize)> {
        self.expect_mark("(")?;
        self.open += 1;
        let inner = self.argument_list();
        self.open -= 1;
        let arguments = inner?;
        let height = arguments.iter().map(|it| it.height).max().unwrap_or(0);
        Ok((arguments, height))
    }

    fn argument_list(&mut self) -> Parsed<Vec<Expr<'s>>> {
        let mut arguments = Vec::new();
        while !self.take_mark(")") {
            arguments.push(self.expression()?);
            if !self.take_mark(",") {
                self.expect_mark(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    /// What looks like a call of a function but is a word of the language.
    fn built_in(&mut self, word: &str, start: Span) -> Parsed<Option<Expr<'s>>> {
        let operation = RmwOperation::ALL.iter().find(|(_, name)| *name == word);
        let count = match word {
            "owner" | "object_size" | "atomic_load" => 1,
            "offset" | "distance" | "atomic_store" => 2,
            "compare_exchange" => 3,
            _ if operation.is_some() => 2,
            _ => return Ok(None),
        };
        let has_order = !matches!(word, "owner" | "object_size" | "offset" | "distance");
        self.advance();
        self.expect_mark("(")?;
        self.open += 1;
        let inner = self.built_in_arguments(word, count, has_order);
        self.open -= 1;
        let (arguments, (order, failure)) = inner?;
        let span = start.to(self.last);
        let height = arguments.iter().map(|it| it.height).max().unwrap_or(0);
        let mut arguments = arguments.into_iter().map(Box::new);
        let mut next = || {
            arguments
                .next()
                .expect("built_in_arguments reads `count` of them")
        };
        let kind = match word {
            "owner" => ExprKind::Owner(next()),
            "object_size" => ExprKind::ObjectSize(next()),
            "atomic_load" => ExprKind::AtomicLoad(next(), order),
            "atomic_store" => ExprKind::AtomicStore(next(), next(), order),
            "offset" => ExprKind::Binary(BinaryOp::Offset, next(), next()),
            "distance" => ExprKind::Binary(BinaryOp::Distance, next(), next()),
            "compare_exchange" => ExprKind::CompareExchange(Box::new(CompareExchange {
                place: *next(),
                expected: *next(),
                desired: *next(),
                order,
                failure,
            })),
            _ => {
                let &(operation, _) = operation.expect("`count` was found for it");
                ExprKind::ReadModifyWrite(operation, next(), next(), order)
            }
        };
        self.node(kind, span, height).map(Some)
    }

    fn built_in_arguments(
        &mut self,
        word: &str,
        count: usize,
        has_order: bool,
    ) -> Parsed<(Vec<Expr<'s>>, (Order, Order))> {
        let mut arguments = Vec::new();
        for at in 0..count {
            if at > 0 {
                self.expect_mark(",")?;
            }
            arguments.push(self.expression()?);
        }
        let mut orders = (Order::SequentiallyConsistent, Order::SequentiallyConsistent);
        if has_order && self.take_mark(",") {
            let order = self.memory_order(word)?;
            orders = (order, order.on_failure());
            if word == "compare_exchange" && self.take_mark(",") {
                orders.1 = self.memory_order(word)?;
            }
        }
        self.expect_mark(")")?;
        Ok((arguments, orders))
    }

    /// The word for a memory order.
    pub(super) fn memory_order(&mut self, word: &str) -> Parsed<Order> {
        let token = self.advance();
        let text = self.text_of(token);
        if let Some((found, _)) = Order::ALL.iter().find(|(_, name)| *name == text) {
            return Ok(*found);
        }
        let words: Vec<String> = Order::ALL
            .iter()
            .map(|(_, name)| format!("`{name}`"))
            .collect();
        let mut diagnostic = syntax_error(
            format!("expected a memory order as the last argument of `{word}`"),
            token.span,
            format!("expected one of {}", words.join(", ")),
        );
        if let Some(near) = nearest(text, Order::ALL.iter().map(|(_, name)| *name)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        Err(self.report(diagnostic))
    }

    pub(super) fn number(&mut self, minus: Option<Span>) -> Parsed<Expr<'s>> {
        let token = self.advance();
        let span = minus.map_or(token.span, |minus| minus.to(token.span));
        let is_negative = minus.is_some();
        let kind = match literal::number(self.text_of(token)) {
            Ok(Number::Integer {
                value,
                is_bits,
                suffix,
            }) => ExprKind::Integer {
                value,
                is_negative,
                is_bits,
                suffix,
            },
            Ok(Number::Float { digits, suffix }) => ExprKind::Float {
                digits,
                is_negative,
                suffix,
            },
            Err(message) => {
                return Err(self.report(
                    syntax_error(message, token.span, "this number")
                        .help("write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`"),
                ));
            }
        };
        Ok(Self::leaf(kind, span))
    }
}
