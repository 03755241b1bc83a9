//! Statements and blocks.

use super::specifiers::Position;
use super::{Parse, Parser};
use crate::message::{Reported, syntax_error};
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{
    Attribute, Block, BlockItem, Expression, ForFirst, Identifier, Item, Statement, StatementKind,
};
use crate::words::Keyword;

/// What stands before a statement.
enum Prefix {
    Label(Identifier, Vec<Attribute>),
    Case(Expression, Option<Expression>),
    Default,
}

impl Parser<'_, '_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.scopes.enter();
        let result = self.block_in_scope();
        self.scopes.leave();
        result
    }

    /// `{ … }` in the current scope: the body of a function shares that of the parameters.
    pub(super) fn block_in_scope(&mut self) -> Parse<Block> {
        let open = self.peek();
        self.expect(Mark::BraceOpen)?;
        let mut local_labels = Vec::new();
        while self.eat_keyword(Keyword::Label) {
            loop {
                local_labels.push(self.identifier("the name of a label")?);
                if !self.eat(Mark::Comma) {
                    break;
                }
            }
            self.expect_semicolon("the declaration of labels")?;
        }
        let mut items = Vec::new();
        loop {
            if self.eat(Mark::BraceClose) {
                break;
            }
            if self.is_end() {
                return Err(self.unclosed(open));
            }
            let error_at = self.at;
            if let Ok(item) = self.block_item() {
                items.push(item);
            } else {
                self.skip_statement(error_at);
            }
        }
        Ok(Block {
            local_labels,
            items,
            span: self.span_from(open.start),
        })
    }

    fn block_item(&mut self) -> Parse<BlockItem> {
        if !self.begins_declaration(0) {
            return self.statement().map(BlockItem::Statement);
        }
        while self.is_keyword(Keyword::Extension) {
            self.take();
        }
        if self.is_keyword(Keyword::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(BlockItem::Item(Item::StaticAssert(assertion)));
        }
        self.declaration_or_function(Position::Block)
            .map(BlockItem::Item)
    }

    /// A statement with the labels before it.
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        let mut prefixes = Vec::new();
        self.nested(|it| {
            while let Some((start, prefix)) = it.prefix()? {
                prefixes.push((start, prefix));
            }
            // Nothing need follow a label at the end of a block, or before a declaration.
            let is_alone =
                !prefixes.is_empty() && (it.is_mark(Mark::BraceClose) || it.begins_declaration(0));
            let mut statement = if is_alone {
                let end = it.previous_end();
                Statement {
                    kind: StatementKind::Expression(None),
                    span: it.source.span(end, end),
                }
            } else {
                it.unlabelled()?
            };
            it.grow(prefixes.len(), statement.span)?;
            while let Some((start, prefix)) = prefixes.pop() {
                let inner = Box::new(statement);
                let kind = match prefix {
                    Prefix::Label(name, attributes) => {
                        StatementKind::Label(name, attributes, inner)
                    }
                    Prefix::Case(first, last) => StatementKind::Case(first, last, inner),
                    Prefix::Default => StatementKind::Default(inner),
                };
                let span = it.span_from(start);
                statement = Statement { kind, span };
            }
            Ok(statement)
        })
    }

    /// The statement that belongs to another one. A block is no level of nesting on top of that.
    fn body(&mut self) -> Parse<Statement> {
        if !self.is_mark(Mark::BraceOpen) {
            return self.statement();
        }
        let block = self.block()?;
        Ok(Statement {
            span: block.span,
            kind: StatementKind::Block(block),
        })
    }

    /// A label, if one is next, and where it begins.
    fn prefix(&mut self) -> Parse<Option<(u32, Prefix)>> {
        let start = self.start();
        let prefix = match self.kind() {
            TokenKind::Keyword(Keyword::Case) => {
                self.take();
                let first = self.conditional()?;
                let last = if self.eat(Mark::Ellipsis) {
                    Some(self.conditional()?)
                } else {
                    None
                };
                self.expect_colon("the `case` label")?;
                Prefix::Case(first, last)
            }
            TokenKind::Keyword(Keyword::Default) => {
                self.take();
                self.expect_colon("`default`")?;
                Prefix::Default
            }
            TokenKind::Identifier(_) if self.is_mark_at(1, Mark::Colon) => {
                let name = self.identifier("the name of a label")?;
                self.take();
                let attributes = if self.begins_declaration(0) {
                    // They belong to the declaration.
                    Vec::new()
                } else {
                    self.attributes()?
                };
                Prefix::Label(name, attributes)
            }
            _ => return Ok(None),
        };
        Ok(Some((start, prefix)))
    }

    /// The `:` of a label, reported where it should stand.
    fn expect_colon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Mark::Colon) {
            return Ok(());
        }
        let token = self.peek();
        if self.is_reported(token) {
            return Err(Reported);
        }
        let found = self.shown(token);
        let end = self.previous_end();
        let span = self.source.span(end, end);
        let reported = self.messages.push(syntax_error(
            format!("expected `:` after {after}, found {found}"),
            span,
            "expected `:`",
        ));
        if token.begins_line {
            Ok(())
        } else {
            Err(reported)
        }
    }

    fn unlabelled(&mut self) -> Parse<Statement> {
        let start = self.start();
        if self.begins_attribute(0) {
            // `__attribute__((fallthrough));` and hints to the optimiser.
            self.attributes()?;
        }
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Mark(Mark::BraceOpen) => StatementKind::Block(self.block()?),
            TokenKind::Mark(Mark::Semicolon) => {
                self.take();
                StatementKind::Expression(None)
            }
            TokenKind::Keyword(keyword) => match self.keyword_statement(keyword, token)? {
                Some(kind) => kind,
                None => self.expression_statement()?,
            },
            TokenKind::Mark(_)
            | TokenKind::Identifier(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => self.expression_statement()?,
        };
        Ok(Statement {
            kind,
            span: self.span_from(start),
        })
    }

    fn expression_statement(&mut self) -> Parse<StatementKind> {
        let expression = self.expression()?;
        self.expect_semicolon("the expression")?;
        Ok(StatementKind::Expression(Some(expression)))
    }

    /// Statements that begin with a keyword.
    fn keyword_statement(
        &mut self,
        keyword: Keyword,
        token: Token,
    ) -> Parse<Option<StatementKind>> {
        let kind = match keyword {
            Keyword::If => self.scoped(Self::if_statement)?,
            Keyword::Switch => {
                self.take();
                self.scoped(|it| {
                    let value = it.parenthesized_condition("switch")?;
                    let body = Box::new(it.body()?);
                    Ok(StatementKind::Switch { value, body })
                })?
            }
            Keyword::While => {
                self.take();
                self.scoped(|it| {
                    let condition = it.parenthesized_condition("while")?;
                    let body = Box::new(it.body()?);
                    Ok(StatementKind::While { condition, body })
                })?
            }
            Keyword::Do => {
                self.take();
                self.scoped(Self::do_statement)?
            }
            Keyword::For => {
                self.take();
                self.scoped(Self::for_statement)?
            }
            Keyword::Goto => {
                self.take();
                let kind = if self.eat(Mark::Star) {
                    StatementKind::GotoComputed(self.expression()?)
                } else {
                    StatementKind::Goto(self.identifier("the name of a label")?)
                };
                self.expect_semicolon("the `goto` statement")?;
                kind
            }
            Keyword::Continue => {
                self.take();
                self.expect_semicolon("`continue`")?;
                StatementKind::Continue
            }
            Keyword::Break => {
                self.take();
                self.expect_semicolon("`break`")?;
                StatementKind::Break
            }
            Keyword::Return => {
                self.take();
                let value = if self.is_mark(Mark::Semicolon) || self.is_mark(Mark::BraceClose) {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect_semicolon("the `return` statement")?;
                StatementKind::Return(value)
            }
            Keyword::Asm => StatementKind::Asm(self.asm()?),
            Keyword::Else => {
                let span = self.token_span(token);
                self.take();
                return Err(self.messages.push(syntax_error(
                    "`else` without an `if` before it",
                    span,
                    "belongs to no `if`",
                )));
            }
            Keyword::Label => {
                let span = self.token_span(token);
                return Err(self.messages.push(syntax_error(
                    "`__label__` must stand at the beginning of its block",
                    span,
                    "something else stands before this",
                )));
            }
            _ if self.begins_declaration(0) => {
                let span = self.token_span(token);
                return Err(self.messages.push(
                    syntax_error(
                        "expected a statement, found a declaration",
                        span,
                        "a declaration may only stand in a block",
                    )
                    .help("put it between `{` and `}`"),
                ));
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    /// Reads in a scope of its own.
    fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.scopes.enter();
        let result = read(self);
        self.scopes.leave();
        result
    }

    /// `(condition)` after a keyword. After an error in it reading goes on behind its end.
    fn parenthesized_condition(&mut self, after: &str) -> Parse<Expression> {
        let open = self.peek();
        if !self.eat(Mark::ParenOpen) {
            return Err(self.expected(&format!("`(` after `{after}`")));
        }
        let read = self.nested(Self::expression).and_then(|condition| {
            self.expect_close(Mark::ParenClose, open)
                .map(|()| condition)
        });
        match read {
            Ok(condition) => Ok(condition),
            Err(reported) => match self.skip_to_paren(false) {
                Ok(()) => Ok(self.dummy()),
                // The `)` itself is what is missing.
                Err(()) if self.is_mark(Mark::BraceOpen) => Ok(self.dummy()),
                Err(()) => Err(reported),
            },
        }
    }

    /// A chain `if … else if … else …` is read in a loop, and becomes a tree from its end.
    fn if_statement(&mut self) -> Parse<StatementKind> {
        let mut arms: Vec<(u32, Expression, Statement)> = Vec::new();
        let mut otherwise = loop {
            let start = self.start();
            self.take();
            let condition = self.parenthesized_condition("if")?;
            let then = self.body()?;
            arms.push((start, condition, then));
            if !self.eat_keyword(Keyword::Else) {
                break None;
            }
            if !self.is_keyword(Keyword::If) {
                break Some(Box::new(self.body()?));
            }
        };
        let span = self.span_from(self.previous_end());
        self.grow(arms.len(), span)?;
        loop {
            let (start, condition, then) = arms.pop().expect("an `if` has at least one arm");
            let kind = StatementKind::If {
                condition,
                then: Box::new(then),
                otherwise,
            };
            if arms.is_empty() {
                return Ok(kind);
            }
            let span = self.span_from(start);
            otherwise = Some(Box::new(Statement { kind, span }));
        }
    }

    fn do_statement(&mut self) -> Parse<StatementKind> {
        let body = Box::new(self.body()?);
        if !self.eat_keyword(Keyword::While) {
            return Err(self.expected("`while` after the body of `do`"));
        }
        let condition = self.parenthesized_condition("while")?;
        self.expect_semicolon("the `do` statement")?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    fn for_statement(&mut self) -> Parse<StatementKind> {
        let open = self.peek();
        if !self.eat(Mark::ParenOpen) {
            return Err(self.expected("`(` after `for`"));
        }
        let header = self
            .nested(Self::for_header)
            .and_then(|header| self.expect_close(Mark::ParenClose, open).map(|()| header));
        let (first, condition, next) = match header {
            Ok(header) => header,
            Err(reported) => match self.skip_to_paren(true) {
                Ok(()) => (ForFirst::None, None, None),
                Err(()) => return Err(reported),
            },
        };
        let body = Box::new(self.body()?);
        Ok(StatementKind::For {
            first,
            condition,
            next,
            body,
        })
    }

    fn for_header(&mut self) -> Parse<(ForFirst, Option<Expression>, Option<Expression>)> {
        let first = if self.eat(Mark::Semicolon) {
            ForFirst::None
        } else if self.begins_declaration(0) {
            ForFirst::Declaration(self.plain_declaration(Position::Block)?)
        } else {
            let expression = self.expression()?;
            self.expect(Mark::Semicolon)?;
            ForFirst::Expression(expression)
        };
        let condition = if self.is_mark(Mark::Semicolon) {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(Mark::Semicolon)?;
        let next = if self.is_mark(Mark::ParenClose) {
            None
        } else {
            Some(self.expression()?)
        };
        Ok((first, condition, next))
    }
}
