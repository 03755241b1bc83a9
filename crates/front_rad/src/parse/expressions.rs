//! Expressions, with the precedence of C.

use raddle_base::Span;
use raddle_ir::{BinaryOp, Order, RmwOperation, UnaryOp};

use crate::lexer::{Token, TokenKind};
use crate::literal::{self, Number};
use crate::message::{nearest, syntax_error};
use crate::syntax::{
    Allocate, Allocated, Callee, CompareExchange, Expr, ExprKind, Logic, SyncWord, UnarySign,
};

use super::{HIGHEST, Parsed, Parser};

/// A binary operator and how tightly it binds.
#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOp),
    Logic(Logic),
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

    fn node(&mut self, kind: ExprKind<'s>, span: Span, below: usize) -> Parsed<Expr<'s>> {
        if below >= HIGHEST {
            return Err(self.too_high(span));
        }
        Ok(Expr {
            kind,
            span,
            height: below + 1,
        })
    }

    fn leaf(kind: ExprKind<'s>, span: Span) -> Expr<'s> {
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
    fn binary_from(&mut self, mut left: Expr<'s>, least: u32) -> Parsed<Expr<'s>> {
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

    fn primary(&mut self) -> Parsed<Expr<'s>> {
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
                TokenKind::Word => {
                    operator_of(self.text_of(next)).is_none() && self.text_of(next) != "as"
                }
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
        let (arguments, order) = inner?;
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
    ) -> Parsed<(Vec<Expr<'s>>, Order)> {
        let mut arguments = Vec::new();
        for at in 0..count {
            if at > 0 {
                self.expect_mark(",")?;
            }
            arguments.push(self.expression()?);
        }
        let mut order = Order::SequentiallyConsistent;
        if has_order && self.take_mark(",") {
            let token = self.advance();
            let text = self.text_of(token);
            if let Some((found, _)) = Order::ALL.iter().find(|(_, name)| *name == text) {
                order = *found;
            } else {
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
                return Err(self.report(diagnostic));
            }
        }
        self.expect_mark(")")?;
        Ok((arguments, order))
    }

    fn number(&mut self, minus: Option<Span>) -> Parsed<Expr<'s>> {
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

    // ---- right of `=`, or alone as a statement

    /// An expression, or one of the operations that yield a value but cannot stand inside an expression.
    pub(super) fn value(&mut self) -> Parsed<Expr<'s>> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return self.expression();
        }
        let word = self.text_of(token);
        let (kind, height) = match word {
            "any" => {
                self.advance();
                (ExprKind::Any(Box::new(self.type_expr()?)), 0)
            }
            "alloc" => self.allocation()?,
            "zeroed" if matches!(self.word_at(1), Some("alloc" | "stack")) => self.allocation()?,
            "stack" if matches!(self.word_at(1), Some("alloc" | "zeroed")) => self.allocation()?,
            "call" => {
                self.advance();
                let (callee, arguments, height) = self.indirect_call()?;
                (ExprKind::Call(callee, arguments), height)
            }
            "spawn" => {
                self.advance();
                let (callee, arguments, height) = if self.take_word("call") {
                    self.indirect_call()?
                } else {
                    let name = self.name("the name of a function")?;
                    let (arguments, height) = self.arguments()?;
                    (Callee::Named(name), arguments, height)
                };
                (ExprKind::Spawn(callee, arguments), height)
            }
            "join" => {
                self.advance();
                let thread = self.expression()?;
                let height = thread.height;
                (ExprKind::Join(Box::new(thread)), height)
            }
            _ => match SyncWord::of(word) {
                Some(sync) => {
                    self.advance();
                    let object = self.unary()?;
                    let mut height = object.height;
                    let mutex = if sync.first().takes_mutex() {
                        self.expect_mark(",")?;
                        let mutex = self.unary()?;
                        height = height.max(mutex.height);
                        Some(Box::new(mutex))
                    } else {
                        None
                    };
                    (ExprKind::Sync(sync, Box::new(object), mutex), height)
                }
                None => return self.expression(),
            },
        };
        let span = token.span.to(self.last);
        self.node(kind, span, height)
    }

    /// After `call`: the address of a function and arguments.
    fn indirect_call(&mut self) -> Parsed<(Callee<'s>, Vec<Expr<'s>>, usize)> {
        let callee = match self.peek().kind {
            // A name before `(` is not yet the call.
            TokenKind::Word | TokenKind::QuotedWord if self.is_mark_at(1, "(") => {
                let name = self.name("the address of a function")?;
                Self::leaf(ExprKind::Name(name.text), name.span)
            }
            _ => self.unary()?,
        };
        let (arguments, height) = self.arguments()?;
        let height = height.max(callee.height);
        Ok((Callee::Pointer(Box::new(callee)), arguments, height))
    }

    fn allocation(&mut self) -> Parsed<(ExprKind<'s>, usize)> {
        let (mut is_zeroed, mut is_on_stack) = (false, false);
        loop {
            match self.word_at(0) {
                Some("zeroed") => is_zeroed = true,
                Some("stack") => is_on_stack = true,
                _ => break,
            }
            self.advance();
        }
        if !self.take_word("alloc") {
            return Err(self.unexpected("`alloc`"));
        }
        let is_bytes = self.is_word("bytes") && {
            // `bytes` may also be the name of a struct.
            let next = self.peek_at(1);
            !next.begins_line
                && !matches!(next.kind, TokenKind::End | TokenKind::Mark(";" | "}" | "["))
        };
        let (what, height) = if is_bytes {
            self.advance();
            // `as` directly behind the size names the type of the object; it is no cast.
            let first = self.unary()?;
            let (size, ty) = if self.continues_line() && self.take_word("as") {
                (first, Some(self.type_expr()?))
            } else {
                (self.binary_from(first, 1)?, None)
            };
            let height = size.height;
            (Allocated::Bytes(size, ty), height)
        } else {
            let ty = self.type_expr()?;
            if self.continues_line() && self.take_mark("[") {
                self.open += 1;
                let inner = self.expression().and_then(|count| {
                    self.expect_mark("]")?;
                    Ok(count)
                });
                self.open -= 1;
                let count = inner?;
                let height = count.height;
                (Allocated::Many(ty, count), height)
            } else {
                (Allocated::One(ty), 0)
            }
        };
        Ok((
            ExprKind::Allocate(Box::new(Allocate {
                what,
                is_zeroed,
                is_on_stack,
            })),
            height,
        ))
    }
}
