//! Statements without blocks.

use raddle_base::Span;
use raddle_ir::AllocateKind;

use crate::lexer::TokenKind;
use crate::literal;
use crate::message::syntax_error;
use crate::syntax::{Expr, ExprKind, Jump, Name, StatementKind, SyncInitExpr, SyncWord};

use super::{Parsed, Parser};

impl<'s> Parser<'s, '_> {
    pub(super) fn simple_statement(
        &mut self,
        word: &str,
        start: Span,
    ) -> Parsed<StatementKind<'s>> {
        let kind = match word {
            "let" => {
                self.advance();
                return self.declaration(false);
            }
            "temp" if self.next_is_name_on_line() => {
                self.advance();
                return self.declaration(true);
            }
            "var" => {
                self.advance();
                let name = self.name("the name of a variable")?;
                self.expect_mark(":")?;
                let ty = self.type_expr()?;
                let initial = if self.take_mark("=") {
                    Some(self.initial()?)
                } else {
                    None
                };
                return Ok(StatementKind::Variable { name, ty, initial });
            }
            "break" => StatementKind::Break,
            "continue" => StatementKind::Continue,
            "skip" => StatementKind::Skip,
            "abort" => StatementKind::Abort,
            "atomic_begin" => {
                self.advance();
                let is_as_written = self.continues_line() && self.take_word("as");
                if is_as_written && !self.take_word("written") {
                    return Err(self.unexpected("`written`"));
                }
                return Ok(StatementKind::AtomicBegin { is_as_written });
            }
            "atomic_end" => StatementKind::AtomicEnd,
            "fence" => {
                self.advance();
                return Ok(StatementKind::Fence(self.memory_order("fence")?));
            }
            "unit_begin" | "unit_end" => {
                self.advance();
                let set = if self.is_at_end() {
                    None
                } else {
                    Some(self.name("the name of an atomic set")?)
                };
                return Ok(if word == "unit_begin" {
                    StatementKind::UnitBegin(set)
                } else {
                    StatementKind::UnitEnd(set)
                });
            }
            "await" => return self.with_expression(StatementKind::Await),
            "assume" => return self.with_expression(StatementKind::Assume),
            "detach" => return self.with_expression(StatementKind::Detach),
            "free" => {
                return self.with_expression(|it| StatementKind::Free(it, AllocateKind::Heap));
            }
            "stack" if self.word_at(1) == Some("free") => {
                self.advance();
                return self.with_expression(|it| StatementKind::Free(it, AllocateKind::Stack));
            }
            "havoc" => {
                self.advance();
                return Ok(StatementKind::Havoc(self.unary()?));
            }
            "return" => return self.with_optional(StatementKind::Return),
            "exit_thread" => return self.with_optional(StatementKind::ExitThread),
            "exit" => return self.with_optional(StatementKind::Exit),
            "assert" => {
                self.advance();
                let condition = self.expression()?;
                let message = if self.take_mark(",") {
                    Some(self.text_literal("a message in quotes")?)
                } else {
                    None
                };
                return Ok(StatementKind::Assert(condition, message));
            }
            "goto" => {
                self.advance();
                return Ok(StatementKind::Goto(if self.take_word("exit") {
                    Jump::Exit
                } else {
                    Jump::Label(self.label_name()?)
                }));
            }
            "init" | "destroy" => {
                self.advance();
                let place = self.unary()?;
                if word == "init" && self.continues_line() && self.take_mark("=") {
                    let value = self.value()?;
                    return Ok(StatementKind::FirstValue { place, value });
                }
                let sync = if self.continues_line() && self.take_word("as") {
                    Some(self.sync_init()?)
                } else {
                    None
                };
                return Ok(if word == "init" {
                    StatementKind::Init(place, sync)
                } else {
                    StatementKind::Destroy(place, sync)
                });
            }
            "emit" => {
                self.advance();
                let text = self.text_literal("a text in quotes")?;
                let mut arguments = Vec::new();
                while self.take_mark(",") {
                    arguments.push(self.expression()?);
                }
                return Ok(StatementKind::Emit(text, arguments));
            }
            "unsupported" => {
                self.advance();
                return Ok(StatementKind::Unsupported(
                    self.text_literal("a text in quotes")?,
                ));
            }
            "call" | "spawn" | "join" | "alloc" => {
                return Ok(StatementKind::Evaluate(self.value()?));
            }
            "zeroed" | "stack"
                if matches!(
                    self.word_at(1),
                    Some("alloc" | "stack" | "zeroed" | "const")
                ) =>
            {
                return Ok(StatementKind::Evaluate(self.value()?));
            }
            "else" => {
                self.advance();
                return Err(self.report(
                    syntax_error("this `else` belongs to no `if`", start, "no `if` before it")
                        .help("write `if e { … } else { … }`"),
                ));
            }
            "or" => {
                self.advance();
                return Err(self.report(
                    syntax_error(
                        "this `or` belongs to no `choose`",
                        start,
                        "no `choose` before it",
                    )
                    .help("write `choose { … } or { … }`"),
                ));
            }
            _ if SyncWord::of(word).is_some() => {
                return Ok(StatementKind::Evaluate(self.value()?));
            }
            _ => return self.assignment(),
        };
        self.advance();
        Ok(kind)
    }

    /// `temp` is a word of the language only before a name.
    fn next_is_name_on_line(&mut self) -> bool {
        let next = self.peek_at(1);
        !next.begins_line && matches!(next.kind, TokenKind::Word | TokenKind::QuotedWord)
    }

    fn is_at_end(&mut self) -> bool {
        let token = self.peek();
        token.begins_line || matches!(token.kind, TokenKind::Mark(";" | "}") | TokenKind::End)
    }

    fn with_expression(
        &mut self,
        kind: impl FnOnce(Expr<'s>) -> StatementKind<'s>,
    ) -> Parsed<StatementKind<'s>> {
        self.advance();
        Ok(kind(self.expression()?))
    }

    fn with_optional(
        &mut self,
        kind: impl FnOnce(Option<Expr<'s>>) -> StatementKind<'s>,
    ) -> Parsed<StatementKind<'s>> {
        self.advance();
        if self.is_at_end() {
            return Ok(kind(None));
        }
        Ok(kind(Some(self.expression()?)))
    }

    /// After `let` or `temp`.
    fn declaration(&mut self, is_temporary: bool) -> Parsed<StatementKind<'s>> {
        let is_first_kept = !self.is_word("_");
        let name = self.name("the name of a register")?;
        if self.take_mark(",") {
            let is_second_kept = !self.is_word("_");
            let second = self.name("the name of a register")?;
            let first = is_first_kept.then(|| Self::name_expr(name));
            let second = is_second_kept.then(|| Self::name_expr(second));
            return self.exchange_into(true, first, second);
        }
        let ty = if self.take_mark(":") {
            Some(self.type_expr()?)
        } else {
            None
        };
        let value = if self.take_mark("=") {
            Some(self.value()?)
        } else {
            None
        };
        if ty.is_none() && value.is_none() {
            return Err(self.unexpected("`:` and a type, or `=` and a value,"));
        }
        Ok(StatementKind::Let {
            name,
            ty,
            value,
            is_temporary,
        })
    }

    fn name_expr(name: Name<'s>) -> Expr<'s> {
        Expr {
            kind: ExprKind::Name(name.text),
            span: name.span,
            height: 1,
        }
    }

    /// `target = value`, `a, b = compare_exchange(…)`, or a call.
    fn assignment(&mut self) -> Parsed<StatementKind<'s>> {
        let is_first_kept = !self.is_word("_");
        let target = match self.peek().kind {
            TokenKind::Word | TokenKind::QuotedWord | TokenKind::Mark("*" | "(") => self.unary()?,
            _ => return Err(self.unexpected("a statement")),
        };
        if self.continues_line() && self.take_mark("=") {
            let value = self.value()?;
            return Ok(StatementKind::Assign { target, value });
        }
        if self.continues_line() && self.take_mark(",") {
            let is_second_kept = !self.is_word("_");
            let second = self.unary()?;
            let first = is_first_kept.then_some(target);
            return self.exchange_into(false, first, is_second_kept.then_some(second));
        }
        match target.kind {
            ExprKind::Call(..)
            | ExprKind::ObjectSize(_)
            | ExprKind::AtomicLoad(..)
            | ExprKind::AtomicStore(..)
            | ExprKind::ReadModifyWrite(..)
            | ExprKind::CompareExchange(_) => {}
            ExprKind::Name(name) if self.is_at_end() => {
                return Err(self.unknown_statement(name, target.span));
            }
            // Judged by `statement_end`, which sees what follows.
            ExprKind::Name(_) => {}
            _ if self.is_at_end() => {
                return Err(self.report(
                    syntax_error("this does nothing", target.span, "a value, not a statement")
                        .help("write `let a = …` to keep it, or `x = …` to store something"),
                ));
            }
            _ => {}
        }
        Ok(StatementKind::Evaluate(target))
    }

    /// After the targets; `None` is `_`.
    fn exchange_into(
        &mut self,
        is_let: bool,
        previous: Option<Expr<'s>>,
        success: Option<Expr<'s>>,
    ) -> Parsed<StatementKind<'s>> {
        self.expect_mark("=")?;
        let value = self.value()?;
        let ExprKind::CompareExchange(exchange) = value.kind else {
            return Err(self.report(
                syntax_error(
                    "only `compare_exchange` gives two values",
                    value.span,
                    "gives one value",
                )
                .help("write one name before `=`"),
            ));
        };
        Ok(StatementKind::ExchangeInto {
            is_let,
            previous,
            success,
            exchange,
        })
    }

    /// `mutex`, `semaphore(1)`.
    pub(super) fn sync_init(&mut self) -> Parsed<SyncInitExpr<'s>> {
        let name = self.name("a synchronisation type")?;
        let argument = if self.continues_line() && self.take_mark("(") {
            self.open += 1;
            let inner = self.expression().and_then(|argument| {
                self.expect_mark(")")?;
                Ok(argument)
            });
            self.open -= 1;
            Some(Box::new(inner?))
        } else {
            None
        };
        Ok(SyncInitExpr { name, argument })
    }

    pub(super) fn text_literal(&mut self, what: &str) -> Parsed<String> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return Err(self.unexpected(what));
        }
        self.advance();
        let text = self.text_of(token);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        literal::unescape(inner).map_err(|message| {
            self.report(
                syntax_error(message, token.span, "in this text")
                    .help("the escapes are \\n \\t \\r \\0 \\\\ \\\" \\xHH \\u{…}"),
            )
        })
    }
}
