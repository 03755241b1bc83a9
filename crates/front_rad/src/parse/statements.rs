//! Blocks, and statements with blocks.

use raddle_base::Span;

use crate::lexer::TokenKind;
use crate::message::{Reported, nearest, syntax_error};
use crate::syntax::{
    Arm, Block, Bracket, BracketId, Expr, ExprKind, Label, LockMode, Name, Statement, StatementKind,
};
use crate::words;

use super::{Parsed, Parser};

/// Words that begin an item and cannot begin a statement: a brace is missing before them.
const NEVER_IN_BLOCKS: &[&str] = &["fn", "struct", "union", "thread_local", "const"];

impl<'s> Parser<'s, '_> {
    /// `{ … }`. After an error inside, reading goes on with the next statement.
    pub(super) fn block(&mut self) -> Parsed<Block<'s>> {
        let outer_open = std::mem::replace(&mut self.open, 0);
        // A block counts twice: reading it takes as much stack as two brackets.
        let result = self.deeper(|this| this.deeper(Self::block_inside));
        self.open = outer_open;
        result
    }

    fn block_inside(&mut self) -> Parsed<Block<'s>> {
        let start = self.expect_mark("{")?;
        let mut statements = Vec::new();
        loop {
            let token = self.peek();
            if self.take_mark("}") {
                let end = self.last;
                return Ok(Block { statements, end });
            }
            if self.take_mark(";") {
                continue;
            }
            let is_item = token.kind == TokenKind::Word
                && token.begins_line
                && NEVER_IN_BLOCKS.contains(&self.text_of(token));
            if token.kind == TokenKind::End || is_item {
                return Err(self.missing_brace(start));
            }
            if self.statement_into(&mut statements).is_err() {
                if self.misses_brace {
                    return Err(Reported);
                }
                self.skip_statement(token);
            }
        }
    }

    fn missing_brace(&mut self, start: Span) -> Reported {
        if self.misses_brace {
            return Reported;
        }
        self.misses_brace = true;
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text_of(token)),
        };
        let (last, is_end) = (self.last, token.kind == TokenKind::End);
        self.report(
            syntax_error(
                format!("expected `}}`, found {found}"),
                if is_end { last } else { token.span },
                "expected `}` before this ends",
            )
            .at(start, "this block is still open"),
        )
    }

    /// One statement, with the labels before it.
    fn statement_into(&mut self, statements: &mut Vec<Statement<'s>>) -> Parsed<()> {
        let token = self.peek();
        let is_label = matches!(
            token.kind,
            TokenKind::Word | TokenKind::QuotedWord | TokenKind::Number
        ) && self.is_mark_at(1, ":");
        if is_label {
            let label = self.label_name()?;
            self.expect_mark(":")?;
            statements.push(Statement {
                kind: StatementKind::Label(label),
                span: label.name.span,
            });
            return Ok(());
        }
        let (statement, ends_with_block) = self.statement()?;
        statements.push(statement);
        if ends_with_block {
            return Ok(());
        }
        self.statement_end(statements)
    }

    /// `;`, the end of the line, or a closing brace next.
    fn statement_end(&mut self, statements: &[Statement<'s>]) -> Parsed<()> {
        let token = self.peek();
        if self.take_mark(";")
            || token.begins_line
            || matches!(token.kind, TokenKind::Mark("}") | TokenKind::End)
        {
            return Ok(());
        }
        if let Some(Statement {
            kind:
                StatementKind::Evaluate(Expr {
                    kind: ExprKind::Name(name),
                    span,
                    ..
                }),
            ..
        }) = statements.last()
            && matches!(token.kind, TokenKind::Word | TokenKind::QuotedWord)
        {
            return Err(self.unknown_statement(name, *span));
        }
        let is_operator = matches!(
            token.kind,
            TokenKind::Mark("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>")
        );
        if is_operator && self.is_mark_at(1, "=") {
            let text = self.text_of(token);
            return Err(self.report(
                syntax_error(format!("there is no `{text}=`"), token.span, "expected `=`").help(
                    format!("write `x = x {text} …`, which is a load and a store"),
                ),
            ));
        }
        Err(self.unexpected("`;` or the end of the line"))
    }

    pub(super) fn unknown_statement(&mut self, word: &str, span: Span) -> Reported {
        let mut diagnostic = syntax_error(
            format!("`{word}` begins no statement"),
            span,
            "unknown statement",
        );
        if let Some(near) = nearest(word, words::all_reserved()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic)
    }

    /// The name or number of a label.
    pub(super) fn label_name(&mut self) -> Parsed<Label<'s>> {
        let token = self.peek();
        if token.kind == TokenKind::Number {
            self.advance();
            let text = self.text_of(token);
            if !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(self.report(syntax_error(
                    format!("`{text}` is no label"),
                    token.span,
                    "expected a name or a plain number",
                )));
            }
            return Ok(Label {
                name: Name {
                    text,
                    span: token.span,
                },
                is_number: true,
            });
        }
        Ok(Label {
            name: self.name("a label")?,
            is_number: false,
        })
    }

    /// A statement, and whether it ends with a block.
    fn statement(&mut self) -> Parsed<(Statement<'s>, bool)> {
        let token = self.peek();
        let start = token.span;
        let word = if token.kind == TokenKind::Word {
            self.text_of(token)
        } else {
            ""
        };
        if let Some(statement) = self.block_statement(word, start)? {
            return Ok((statement, true));
        }
        let kind = self.simple_statement(word, start)?;
        let span = start.to(self.last);
        Ok((Statement { kind, span }, false))
    }

    fn block_statement(&mut self, word: &str, start: Span) -> Parsed<Option<Statement<'s>>> {
        let (kind, span) = match word {
            "if" => self.if_statement(start)?,
            "while" => {
                self.advance();
                let condition = self.expression()?;
                let span = start.to(self.last);
                let body = self.block()?;
                (StatementKind::While { condition, body }, span)
            }
            "loop" => {
                self.advance();
                (StatementKind::Loop(self.block()?), start)
            }
            "choose" => {
                self.advance();
                let mut branches = vec![self.block()?];
                while self.is_word("or") && self.is_mark_at(1, "{") {
                    self.advance();
                    branches.push(self.block()?);
                }
                (StatementKind::Choose(branches), start)
            }
            "lock" => {
                self.advance();
                let mode = match self.word_at(0) {
                    Some("read") if self.begins_place_after_mode() => LockMode::Read,
                    Some("write") if self.begins_place_after_mode() => LockMode::Write,
                    _ => LockMode::Plain,
                };
                if mode != LockMode::Plain {
                    self.advance();
                }
                let place = self.unary()?;
                let span = start.to(self.last);
                (self.bracket(Bracket::Lock(mode, place))?, span)
            }
            "atomic" => {
                self.advance();
                (self.bracket(Bracket::Atomic)?, start)
            }
            "unit" => {
                self.advance();
                let set = if self.is_mark("{") {
                    None
                } else {
                    Some(self.name("the name of an atomic set")?)
                };
                let span = start.to(self.last);
                (self.bracket(Bracket::Unit(set))?, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(Statement { kind, span }))
    }

    /// After `read` or `write`: whether a place follows, so that the word is the mode and not itself the place.
    fn begins_place_after_mode(&mut self) -> bool {
        let next = self.peek_at(1);
        matches!(
            next.kind,
            TokenKind::Word | TokenKind::QuotedWord | TokenKind::Mark("*" | "(")
        )
    }

    fn bracket(&mut self, bracket: Bracket<'s>) -> Parsed<StatementKind<'s>> {
        let id = BracketId(self.brackets);
        self.brackets += 1;
        let body = self.block()?;
        Ok(StatementKind::Bracket { bracket, id, body })
    }

    /// `if`, with all its `else if`s in a loop.
    fn if_statement(&mut self, start: Span) -> Parsed<(StatementKind<'s>, Span)> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut arm_start = start;
        loop {
            self.advance();
            let condition = self.expression()?;
            let span = arm_start.to(self.last);
            let body = self.block()?;
            arms.push(Arm {
                condition,
                body,
                span,
            });
            if !self.take_word("else") {
                break;
            }
            if !self.is_word("if") {
                otherwise = Some(self.block()?);
                break;
            }
            arm_start = self.peek().span;
        }
        let span = arms.first().map_or(start, |arm| arm.span);
        Ok((StatementKind::If { arms, otherwise }, span))
    }
}
