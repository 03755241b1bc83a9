//! Operations that yield a value but cannot stand inside an expression: right of `=`, or alone as a statement.

use crate::lexer::TokenKind;
use crate::syntax::{Allocate, Allocated, Callee, Const, Expr, ExprKind, SyncWord};

use super::{Parsed, Parser};

impl<'s> Parser<'s, '_> {
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
            "zeroed" if matches!(self.word_at(1), Some("alloc" | "stack" | "const")) => {
                self.allocation()?
            }
            "stack" if matches!(self.word_at(1), Some("alloc" | "zeroed" | "const")) => {
                self.allocation()?
            }
            "call" => {
                self.advance();
                let (callee, arguments, height) = self.indirect_call()?;
                (ExprKind::Call(callee, arguments), height)
            }
            "spawn" => {
                self.advance();
                let (callee, arguments, mut height) = if self.take_word("call") {
                    self.indirect_call()?
                } else {
                    let name = self.name("the name of a function")?;
                    let (arguments, height) = self.arguments()?;
                    (Callee::Named(name), arguments, height)
                };
                let mut place = None;
                if self.continues_line() && self.take_word("into") {
                    let named = self.unary()?;
                    height = height.max(named.height);
                    place = Some(Box::new(named));
                }
                (ExprKind::Spawn(callee, arguments, place), height)
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
        let mut read_only = Const::Nothing;
        loop {
            match self.word_at(0) {
                Some("const") => {
                    read_only = self.constness()?;
                    continue;
                }
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
                read_only,
            })),
            height,
        ))
    }
}
