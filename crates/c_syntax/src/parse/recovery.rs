//! What is said about errors of syntax, and where reading goes on after them.

use super::{Parse, Parser};
use crate::message::{Reported, syntax_error};
use crate::token::{Mark, Token, TokenKind};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// A token as it is called in messages.
    pub(super) fn shown(&self, token: Token) -> String {
        if token.kind == TokenKind::End {
            return "the end of the file".to_owned();
        }
        let text = String::from_utf8_lossy(self.source.text(token));
        if text.chars().count() > 40 {
            let beginning: String = text.chars().take(37).collect();
            return format!("`{beginning}...`");
        }
        format!("`{text}`")
    }

    /// Whether what is wrong with the next token has been said when it was cut from the text.
    pub(super) fn is_reported(&self, token: Token) -> bool {
        if token.kind == TokenKind::Bad {
            return true;
        }
        let strays = &self.lexed.strays;
        let passed = strays.partition_point(|&at| at < self.previous_end());
        strays.get(passed).is_some_and(|&at| at < token.start)
    }

    /// `expected WHAT, found …` at the next token.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        if self.is_reported(token) {
            return Reported;
        }
        let found = self.shown(token);
        let span = self.token_span(token);
        self.messages.push(syntax_error(
            format!("expected {what}, found {found}"),
            span,
            format!("expected {what}"),
        ))
    }

    pub(super) fn expect(&mut self, mark: Mark) -> Parse<()> {
        if self.eat(mark) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}`", mark.text())))
    }

    /// The closing counterpart of a bracket.
    pub(super) fn expect_close(&mut self, mark: Mark, open: Token) -> Parse<()> {
        if self.eat(mark) {
            return Ok(());
        }
        let token = self.peek();
        if self.is_reported(token) {
            return Err(Reported);
        }
        let found = self.shown(token);
        let span = self.token_span(token);
        let open_span = self.token_span(open);
        let open_text = self.shown(open);
        Err(self.messages.push(
            syntax_error(
                format!("expected `{}`, found {found}", mark.text()),
                span,
                format!("expected `{}`", mark.text()),
            )
            .at(open_span, format!("to match this {open_text}")),
        ))
    }

    /// The end of a statement or declaration. A missing one is reported where it should stand, and reading goes on
    /// behind that place if the next token looks like the beginning of something new.
    pub(super) fn expect_semicolon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Mark::Semicolon) {
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
            format!("expected `;` after {after}, found {found}"),
            span,
            "expected `;`",
        ));
        let goes_on = token.begins_line
            || matches!(
                token.kind,
                TokenKind::End | TokenKind::Mark(Mark::BraceClose)
            )
            || begins_statement(token.kind);
        if goes_on { Ok(()) } else { Err(reported) }
    }

    /// A `{` whose `}` is missing at the end of the file.
    pub(super) fn unclosed(&mut self, open: Token) -> Reported {
        let span = self.token_span(open);
        let mut diagnostic = syntax_error("unclosed `{`", span, "this `{` is never closed");
        if let Some(function) = self.function_in_block
            && span.start < function.start
        {
            diagnostic = diagnostic.at(
                function,
                "a function begins here inside of it: is a `}` missing before?",
            );
        }
        let reported = self.messages.push(diagnostic);
        self.stop();
        reported
    }

    /// Skips to the end of the statement or declaration in which an error was found.
    /// It ends behind a `;` or a block, before a `}`, or before a line that begins something new.
    pub(super) fn skip_statement(&mut self, error_at: usize) {
        self.stop_if_full();
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End | TokenKind::Mark(Mark::BraceClose) => return,
                TokenKind::Mark(Mark::Semicolon) => {
                    self.take();
                    return;
                }
                TokenKind::Mark(Mark::BraceOpen) => {
                    self.skip_braces();
                    // An initializer, or a `do`, goes on behind its brace.
                    let goes_on = matches!(
                        self.kind(),
                        TokenKind::Mark(Mark::Comma | Mark::Semicolon | Mark::ParenClose)
                    );
                    if !goes_on {
                        return;
                    }
                }
                kind if self.at > error_at && token.begins_line && begins_statement(kind) => return,
                _ => {
                    self.take();
                }
            }
        }
    }

    /// As [`Parser::skip_statement`], outside of functions: a line at whose very beginning a word stands begins something new.
    pub(super) fn skip_external(&mut self, error_at: usize) {
        self.stop_if_full();
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Mark(Mark::Semicolon) => {
                    self.take();
                    return;
                }
                TokenKind::Mark(Mark::BraceOpen) => {
                    self.skip_braces();
                    let goes_on = matches!(
                        self.kind(),
                        TokenKind::Mark(Mark::Comma | Mark::Semicolon | Mark::ParenClose)
                    );
                    if !goes_on {
                        return;
                    }
                }
                TokenKind::Identifier(_) | TokenKind::Keyword(_)
                    if self.at > error_at && self.is_at_line_start(token) =>
                {
                    return;
                }
                _ => {
                    self.take();
                }
            }
        }
    }

    /// After so many errors the rest is not worth reading.
    pub(super) fn stop_if_full(&mut self) {
        if self.messages.is_full() {
            self.stop();
        }
    }

    /// Whether nothing, not even space, stands before the token on its line.
    pub(super) fn is_at_line_start(&self, token: Token) -> bool {
        token.begins_line
            && (token.start == 0
                || self.source.spliced.text.get(token.start as usize - 1) == Some(&b'\n'))
    }

    /// Skips `{`, everything in it and its `}`.
    pub(super) fn skip_braces(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.take().kind {
                TokenKind::Mark(Mark::BraceOpen) => depth += 1,
                TokenKind::Mark(Mark::BraceClose) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                TokenKind::End => return,
                _ => {}
            }
        }
    }

    /// Skips to the `)` that closes a parenthesis in which an error was found, and takes it.
    /// Fails if the statement ends or a block begins before.
    pub(super) fn skip_to_paren(&mut self, is_for: bool) -> Result<(), ()> {
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                TokenKind::Mark(Mark::ParenOpen) => depth += 1,
                TokenKind::Mark(Mark::ParenClose) => {
                    if depth == 0 {
                        self.take();
                        return Ok(());
                    }
                    depth -= 1;
                }
                TokenKind::Mark(Mark::Semicolon) if !is_for => return Err(()),
                TokenKind::End | TokenKind::Mark(Mark::BraceOpen | Mark::BraceClose) => {
                    return Err(());
                }
                _ => {}
            }
            self.take();
        }
    }
}

/// Words that begin a statement or a declaration and nothing else.
fn begins_statement(kind: TokenKind) -> bool {
    let TokenKind::Keyword(keyword) = kind else {
        return false;
    };
    matches!(
        keyword,
        Keyword::If
            | Keyword::For
            | Keyword::While
            | Keyword::Do
            | Keyword::Switch
            | Keyword::Case
            | Keyword::Default
            | Keyword::Return
            | Keyword::Break
            | Keyword::Continue
            | Keyword::Goto
            | Keyword::Static
            | Keyword::Extern
            | Keyword::Typedef
            | Keyword::Register
            | Keyword::Auto
            | Keyword::Const
            | Keyword::Volatile
            | Keyword::Void
            | Keyword::Char
            | Keyword::Short
            | Keyword::Int
            | Keyword::Long
            | Keyword::Unsigned
            | Keyword::Signed
            | Keyword::Float
            | Keyword::Double
            | Keyword::Bool
            | Keyword::Struct
            | Keyword::Union
            | Keyword::Enum
            | Keyword::StaticAssert
            | Keyword::ThreadLocal
            | Keyword::Inline
    )
}
