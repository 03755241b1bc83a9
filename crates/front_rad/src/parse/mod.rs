//! The parser: recursive descent over tokens.
//!
//! - [`items`], [`types`]; [`statements`], [`simple_statements`]; [`expressions`], [`primaries`], [`operations`]: one
//!   part of the grammar each;
//! - here: the cursor, limits of nesting, and how reading goes on after an error.
//!
//! Recursion is bounded by [`DEEPEST`]; what goes past it is an error that ends the reading.

mod expressions;
mod items;
mod operations;
mod primaries;
mod simple_statements;
mod statements;
mod types;

use std::collections::VecDeque;

use raddle_base::{FileId, Span};
use raddle_ir::validate::MAX_DEPTH;

use crate::lexer::{BadToken, Lexer, Token, TokenKind};
use crate::message::{Messages, Reported, limit_error, syntax_error};
use crate::syntax::{Item, Name, SyncWord};
use crate::words;

/// How deep brackets, blocks, operators and types may be nested in the text. Twice as deep as in a program,
/// because an operator or a cell with its brackets, `-(a)` or `*(a as *u8)`, is two levels of text.
const DEEPEST: usize = 2 * MAX_DEPTH + 50;
/// How high the tree of an expression may be; a chain `a + b + …` counts each operator.
const HIGHEST: usize = 2 * MAX_DEPTH + 10;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// The items of one file. Errors go to `messages`.
pub(crate) fn parse<'s>(file: FileId, text: &'s str, messages: &mut Messages) -> Vec<Item<'s>> {
    if u32::try_from(text.len()).is_err() {
        let span = Span {
            file,
            start: 0,
            end: 0,
        };
        messages.push(limit_error("the file has 4 GiB or more", span, "this file"));
        return Vec::new();
    }
    let mut parser = Parser {
        text,
        lexer: Lexer::new(file, text),
        ahead: VecDeque::new(),
        last: Span {
            file,
            start: 0,
            end: 0,
        },
        depth: 0,
        open: 0,
        brackets: 0,
        is_over: false,
        misses_brace: false,
        messages,
    };
    parser.items()
}

pub(crate) struct Parser<'s, 'm> {
    text: &'s str,
    lexer: Lexer<'s>,
    /// Tokens looked at but not taken.
    ahead: VecDeque<Token>,
    /// Where the last token taken stands.
    last: Span,
    depth: usize,
    /// How many `(` and `[` are open: inside them ends of lines do not count.
    open: u32,
    /// How many `lock`, `atomic` and `unit` blocks have been read.
    brackets: u32,
    /// No more tokens are handed out.
    is_over: bool,
    /// An item began inside a block: the blocks around it end in silence.
    misses_brace: bool,
    messages: &'m mut Messages,
}

impl<'s> Parser<'s, '_> {
    // ---- cursor

    fn peek_at(&mut self, distance: usize) -> Token {
        while self.ahead.len() <= distance {
            let token = self.lexer.next_token();
            self.ahead.push_back(token);
        }
        let mut token = self.ahead[distance];
        if self.is_over {
            token.kind = TokenKind::End;
        }
        token
    }

    fn peek(&mut self) -> Token {
        self.peek_at(0)
    }

    fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.ahead.pop_front();
            self.last = token.span;
        }
        token
    }

    fn text_of(&self, token: Token) -> &'s str {
        self.text
            .get(token.span.start as usize..token.span.end as usize)
            .unwrap_or("")
    }

    fn is_mark_at(&mut self, distance: usize, mark: &str) -> bool {
        matches!(self.peek_at(distance).kind, TokenKind::Mark(it) if it == mark)
    }

    fn is_mark(&mut self, mark: &str) -> bool {
        self.is_mark_at(0, mark)
    }

    /// The word at a distance, if there is one without backticks.
    fn word_at(&mut self, distance: usize) -> Option<&'s str> {
        let token = self.peek_at(distance);
        (token.kind == TokenKind::Word).then(|| self.text_of(token))
    }

    fn is_word(&mut self, word: &str) -> bool {
        self.word_at(0) == Some(word)
    }

    fn take_mark(&mut self, mark: &str) -> bool {
        let is_there = self.is_mark(mark);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn expect_mark(&mut self, mark: &str) -> Parsed<Span> {
        if self.is_mark(mark) {
            Ok(self.advance().span)
        } else {
            Err(self.unexpected(&format!("`{mark}`")))
        }
    }

    /// The next token stands on the line of the one before, or lines do not count here.
    fn continues_line(&mut self) -> bool {
        self.open > 0 || !self.peek().begins_line
    }

    // ---- names

    /// A name in a place where words of the language cannot stand.
    fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        let token = self.peek();
        match token.kind {
            TokenKind::Word if words::is_reserved(self.text_of(token)) => {
                let word = self.text_of(token);
                Err(self.report(
                    syntax_error(
                        format!("`{word}` is a word of the language, not {what}"),
                        token.span,
                        format!("expected {what}"),
                    )
                    .help(format!(
                        "write it in backticks to use it as a name: `` `{word}` ``"
                    )),
                ))
            }
            TokenKind::Word | TokenKind::QuotedWord => Ok(self.any_name()),
            _ => Err(self.unexpected(what)),
        }
    }

    /// An operation inside an expression: it is a step of its own and must stand alone right of `=`.
    fn forbid_operation(&mut self) -> Parsed<()> {
        let Some(word) = self.word_at(0).filter(|word| gives_value(word)) else {
            return Ok(());
        };
        let span = self.peek().span;
        let object = match self.word_at(1) {
            Some(next) if self.is_mark_at(2, "(") => format!("{next}(…)"),
            Some(next) => next.to_owned(),
            None => "…".to_owned(),
        };
        Err(self.report(
            syntax_error(
                format!("`{word}` cannot stand inside an expression"),
                span,
                "a step of its own",
            )
            .help(format!(
                "give its result a name first, as in `let r = {word} {object}`"
            )),
        ))
    }

    /// The name of a field: no word is reserved there.
    fn field_name(&mut self) -> Parsed<Name<'s>> {
        match self.peek().kind {
            TokenKind::Word | TokenKind::QuotedWord => Ok(self.any_name()),
            _ => Err(self.unexpected("the name of a field")),
        }
    }

    fn any_name(&mut self) -> Name<'s> {
        let token = self.advance();
        let text = self.text_of(token);
        Name {
            text: text.trim_matches('`'),
            span: token.span,
        }
    }

    // ---- limits

    /// Runs `inner` one level deeper, or ends the reading if that is too deep.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let span = self.peek().span;
            return Err(self.too_deep(span));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let reported = self.report(
            limit_error(
                "this is nested too deeply",
                span,
                format!("more than {DEEPEST} levels of brackets, blocks and operators"),
            )
            .help("give parts of it a name with `let`, or move them into a function"),
        );
        self.is_over = true;
        reported
    }

    fn too_high(&mut self, span: Span) -> Reported {
        let reported = self.report(
            limit_error(
                "this expression is too large",
                span,
                format!("more than {HIGHEST} operators above one another"),
            )
            .help("give parts of it a name with `let`"),
        );
        self.is_over = true;
        reported
    }

    // ---- errors

    fn report(&mut self, diagnostic: raddle_diag::Diagnostic) -> Reported {
        if !self.is_over {
            self.messages.push(diagnostic);
        }
        self.is_over |= self.messages.is_full();
        Reported
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.peek();
        if let TokenKind::Bad(bad) = token.kind {
            return self.bad_token(bad, token);
        }
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Text => "a text".to_owned(),
            _ => {
                let text = self.text_of(token);
                if text.chars().count() > 40 {
                    "this".to_owned()
                } else {
                    format!("`{}`", text.trim_matches('`'))
                }
            }
        };
        // Something missing at the end of a line is shown there, not at the start of the next.
        let is_beginning = expected.starts_with("a statement") || expected.starts_with("an item");
        let span = if (token.begins_line && !is_beginning) || token.kind == TokenKind::End {
            Span {
                start: self.last.end.saturating_sub(1).max(self.last.start),
                ..self.last
            }
        } else {
            token.span
        };
        let label = if span == token.span {
            format!("expected {expected}")
        } else {
            format!("expected {expected} after this")
        };
        self.report(syntax_error(
            format!("expected {expected}, found {found}"),
            span,
            label,
        ))
    }

    fn bad_token(&mut self, bad: BadToken, token: Token) -> Reported {
        let diagnostic = match bad {
            BadToken::Character => {
                let c = self.text_of(token).chars().next().unwrap_or(' ');
                let shown = if c.is_control() {
                    format!("U+{:04X}", u32::from(c))
                } else {
                    format!("`{c}`")
                };
                syntax_error(
                    format!("the character {shown} means nothing here"),
                    token.span,
                    "unknown character",
                )
                .help("names of other characters are written in backticks")
            }
            BadToken::OpenComment => {
                syntax_error("this comment does not end", token.span, "begins here")
                    .help("close it with `*/`")
            }
            BadToken::OpenText => syntax_error(
                "this text does not end on its line",
                token.span,
                "begins here",
            )
            .help("close it with `\"`; write `\\n` for the end of a line"),
            BadToken::OpenCharacter => syntax_error(
                "this character does not end on its line",
                token.span,
                "begins here",
            )
            .help("close it with `'`"),
            BadToken::OpenName => syntax_error(
                "this name in backticks is empty or does not end on its line",
                token.span,
                "begins here",
            )
            .help("close it with another backtick"),
        };
        self.report(diagnostic)
    }

    // ---- going on after an error

    /// Skips to where the next statement may begin, past the token at which the wrong one began.
    fn skip_statement(&mut self, began: Token) {
        let mut braces = 0_u32;
        let mut is_first = self.peek() == began;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Mark("}") if braces == 0 => return,
                TokenKind::Mark(";") if braces == 0 => {
                    self.advance();
                    return;
                }
                _ if braces == 0 && token.begins_line && !is_first => return,
                TokenKind::Mark("{") => braces += 1,
                TokenKind::Mark("}") => braces -= 1,
                _ => {}
            }
            self.advance();
            is_first = false;
        }
    }

    /// Skips to where the next item may begin, past the token at which the wrong one began.
    fn skip_item(&mut self, began: Token) {
        let mut braces = 0_u32;
        let mut is_first = self.peek() == began;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Word
                    if token.begins_line
                        && !is_first
                        && braces == 0
                        && words::ITEMS.contains(&self.text_of(token)) =>
                {
                    return;
                }
                TokenKind::Mark("{") => braces += 1,
                TokenKind::Mark("}") => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.advance();
            is_first = false;
        }
    }
}

/// Whether a word begins an operation that [`Parser::value`] reads.
fn gives_value(word: &str) -> bool {
    matches!(word, "any" | "alloc" | "call" | "spawn" | "join") || SyncWord::of(word).is_some()
}
