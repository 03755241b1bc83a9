//! The parser: recursive descent over tokens.
//!
//! - [`declarations`], [`specifiers`], [`basic_types`], [`aggregates`], [`declarators`], [`initializers`], [`attributes`],
//!   [`statements`], [`expressions`], [`primary`], [`assembler`]: one part of the grammar each;
//! - [`scope`]: which names are types;
//! - [`beginnings`]: what the next tokens begin;
//! - [`recovery`]: what is said about errors, and where reading goes on after them;
//! - here: the cursor and the limits.
//!
//! Recursion is bounded by [`DEEPEST`]. Chains such as `a + b + …` or `else if …` are read in loops, and the height of the
//! tree that they become is bounded by [`HIGHEST`]. What goes past a limit is an error that ends the reading.

mod aggregates;
mod assembler;
mod attributes;
mod basic_types;
mod beginnings;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod primary;
mod recovery;
mod scope;
mod specifiers;
mod statements;

use raddle_base::Span;

use crate::lexer::{Lexed, Source, lex};
use crate::message::{Messages, Reported, limit_error};
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{Identifier, Unit};
use crate::words::Keyword;
use scope::Scopes;

/// How deep parentheses, blocks, declarators, initializers and the like may be nested in the text.
pub(crate) const DEEPEST: u32 = 256;
/// How high the tree may be.
pub(crate) const HIGHEST: u32 = 20_000;

pub(crate) type Parse<T> = Result<T, Reported>;

/// Reads a unit. Errors go to `messages`.
pub(crate) fn parse(source: &Source<'_>, messages: &mut Messages) -> Unit {
    let lexed = lex(source, messages);
    let mut parser = Parser {
        scopes: Scopes::new(lexed.names.len()),
        source,
        lexed,
        at: 0,
        depth: 0,
        height: 0,
        tags: Vec::new(),
        function_in_block: None,
        attribute_names: Vec::new(),
        messages,
    };
    let items = parser.unit();
    Unit {
        items,
        annotations: parser.lexed.annotations,
        pragmas: parser.lexed.pragmas,
        attribute_names: parser.attribute_names,
    }
}

pub(crate) struct Parser<'s, 'm> {
    source: &'s Source<'s>,
    lexed: Lexed,
    /// The index of the next token; never past the last one, which is the end.
    at: usize,
    depth: u32,
    /// The height of the highest tree built since this was last set to zero.
    height: u32,
    scopes: Scopes,
    /// Names after `struct`, `union` and `enum`, with these words: for hints only.
    tags: Vec<(Keyword, crate::token::Symbol)>,
    /// Where a function begins in a block although it stands at the beginning of a line: the first such place.
    /// Nested functions are allowed, but are more often a sign of a missing `}` before.
    function_in_block: Option<Span>,
    attribute_names: Vec<crate::tree::Identifier>,
    messages: &'m mut Messages,
}

impl Parser<'_, '_> {
    fn peek(&self) -> Token {
        self.lexed.tokens[self.at]
    }

    /// The token after so many others.
    fn peek_at(&self, ahead: usize) -> Token {
        let last = self.lexed.tokens.len() - 1;
        self.lexed.tokens[(self.at + ahead).min(last)]
    }

    fn kind(&self) -> TokenKind {
        self.peek().kind
    }

    fn take(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    fn is_mark(&self, mark: Mark) -> bool {
        self.kind() == TokenKind::Mark(mark)
    }

    fn is_mark_at(&self, ahead: usize, mark: Mark) -> bool {
        self.peek_at(ahead).kind == TokenKind::Mark(mark)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, mark: Mark) -> bool {
        let is_there = self.is_mark(mark);
        if is_there {
            self.at += 1;
        }
        is_there
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let is_there = self.is_keyword(keyword);
        if is_there {
            self.at += 1;
        }
        is_there
    }

    /// Takes an identifier, if one is next.
    fn eat_identifier(&mut self) -> Option<Identifier> {
        let token = self.peek();
        let TokenKind::Identifier(symbol) = token.kind else {
            return None;
        };
        self.at += 1;
        Some(Identifier {
            name: self.lexed.names.name(symbol),
            span: self.source.token_span(token),
        })
    }

    /// Where the next token begins.
    fn start(&self) -> u32 {
        self.peek().start
    }

    /// Where the last token taken ends.
    fn previous_end(&self) -> u32 {
        match self.at {
            0 => 0,
            at => self.lexed.tokens[at - 1].end,
        }
    }

    /// From `start` to the end of the last token taken.
    fn span_from(&self, start: u32) -> Span {
        self.source.span(start, self.previous_end().max(start))
    }

    fn token_span(&self, token: Token) -> Span {
        self.source.token_span(token)
    }

    /// Reads something inside something else of the kind that may be nested.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            let span = self.token_span(self.peek());
            return Err(self.give_up(
                format!("nesting is deeper than {DEEPEST} levels"),
                span,
                "this is nested too deeply",
            ));
        }
        self.depth += 1;
        let before = std::mem::take(&mut self.height);
        let result = read(self);
        self.depth -= 1;
        self.height = before.max(self.height.saturating_add(1));
        result
    }

    /// Reads a tree whose height is counted from zero; [`Parser::grow`] counts it.
    fn counted<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let before = std::mem::take(&mut self.height);
        let result = read(self);
        self.height = before.max(self.height);
        result
    }

    /// The tree that is being read gets so much higher.
    fn grow(&mut self, levels: usize, span: Span) -> Parse<()> {
        let levels = u32::try_from(levels).unwrap_or(u32::MAX);
        self.height = self.height.saturating_add(levels);
        if self.height > HIGHEST {
            return Err(self.give_up(
                format!("more than {HIGHEST} operators or statements follow from one another"),
                span,
                "this chain is too long",
            ));
        }
        Ok(())
    }

    /// Reports that a limit is reached, and ends the reading.
    fn give_up(&mut self, message: String, span: Span, label: &str) -> Reported {
        let reported = self.messages.push(limit_error(message, span, label));
        self.stop();
        reported
    }

    /// Goes to the end of the text, and says nothing more.
    fn stop(&mut self) {
        self.messages.close();
        self.at = self.lexed.tokens.len() - 1;
    }
}
