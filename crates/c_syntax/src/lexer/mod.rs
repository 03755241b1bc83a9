//! Cuts a unit into tokens.
//!
//! - here: space, comments, words, marks, and where literals begin and end;
//! - [`directive`]: lines that begin with `#`;
//! - [`number`], [`quoted`]: what literals say, asked for by the parser.

mod directive;
mod number;
mod quoted;

use raddle_base::{FileId, Span};
use raddle_diag::Diagnostic;

use crate::message::{Messages, syntax_error};
use crate::names::Names;
use crate::splice::Spliced;
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{Annotation, Pragma};
use crate::words::Keyword;

pub(crate) use directive::Packing;
use directive::{spaced, without_escapes};
pub(crate) use number::{Number, read_number};
pub(crate) use quoted::{read_character, read_strings};

/// The text of a unit, to which tokens point.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    pub(crate) file: FileId,
    pub(crate) spliced: Spliced<'t>,
}

impl Source<'_> {
    /// The place of a range of the text without splices.
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        let start_written = self.spliced.start(start);
        let end_written = if start < end {
            self.spliced.end(end)
        } else {
            start_written
        };
        Span {
            file: self.file,
            start: start_written,
            end: end_written,
        }
    }

    pub(crate) fn token_span(&self, token: Token) -> Span {
        self.span(token.start, token.end)
    }

    pub(crate) fn text(&self, token: Token) -> &[u8] {
        &self.spliced.text[token.start as usize..token.end as usize]
    }
}

/// What the lexer found.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// Ends with [`TokenKind::End`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) names: Names,
    pub(crate) annotations: Vec<Annotation>,
    /// Where characters were left out, after a message.
    pub(crate) strays: Vec<u32>,
    pub(crate) packing: Packing,
    pub(crate) pragmas: Vec<Pragma>,
}

pub(crate) fn lex(source: &Source<'_>, messages: &mut Messages) -> Lexed {
    let text = &*source.spliced.text;
    let mut lexer = Lexer {
        source,
        text,
        at: if text.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        },
        begins_line: true,
        lexed: Lexed {
            // Half of the size that texts of this kind need on average, so that at most one more step is taken.
            tokens: Vec::with_capacity(text.len() / 8),
            names: Names::new(),
            annotations: Vec::new(),
            strays: Vec::new(),
            packing: Packing::default(),
            pragmas: Vec::new(),
        },
        messages,
    };
    lexer.run();
    lexer.lexed
}

struct Lexer<'s, 'm> {
    source: &'s Source<'s>,
    text: &'s [u8],
    at: usize,
    /// Nothing but space stood on this line so far.
    begins_line: bool,
    lexed: Lexed,
    messages: &'m mut Messages,
}

impl Lexer<'_, '_> {
    fn run(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            match rest {
                [] => {
                    self.push(TokenKind::End, self.at);
                    return;
                }
                [b'\n', ..] => {
                    self.begins_line = true;
                    self.at += 1;
                }
                [b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' | 0, ..] => self.at += 1,
                [b'/', b'/', ..] => self.line_comment(),
                [b'/', b'*', ..] => self.block_comment(),
                [b'#', ..] if self.begins_line => self.directive(1),
                [b'%', b':', ..] if self.begins_line => self.directive(2),
                _ => self.token(rest),
            }
        }
    }

    /// Adds a token from `start` to the current place.
    fn push(&mut self, kind: TokenKind, start: usize) {
        self.lexed.tokens.push(Token {
            kind,
            start: offset(start),
            end: offset(self.at),
            begins_line: self.begins_line,
        });
        self.begins_line = false;
        if kind == TokenKind::Mark(Mark::ParenClose) {
            self.drop_pragma_operator();
        }
    }

    fn token(&mut self, rest: &[u8]) {
        let start = self.at;
        match *rest {
            [b'L' | b'U', quote @ (b'"' | b'\''), ..] => self.quoted(1, quote),
            [b'u', quote @ (b'"' | b'\''), ..] => self.quoted(1, quote),
            [b'u', b'8', quote @ (b'"' | b'\''), ..] => self.quoted(2, quote),
            [quote @ (b'"' | b'\''), ..] => self.quoted(0, quote),
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => {
                self.at += number::length(rest);
                self.push(TokenKind::Number, start);
            }
            [first, ..] if is_word_byte(first) || universal_name_length(rest).is_some() => {
                self.at += word_length(rest);
                let kind = self.lexed.names.read(&self.text[start..self.at]);
                self.push(kind, start);
            }
            _ => {
                if let Some((mark, length)) = Mark::read(rest) {
                    self.at += length;
                    self.push(TokenKind::Mark(mark), start);
                } else {
                    self.at += 1;
                    self.stray(start);
                }
            }
        }
    }

    /// A character that begins no token is left out, as gcc does.
    fn stray(&mut self, start: usize) {
        let byte = self.text[start];
        self.lexed.strays.push(offset(start));
        let message = if byte == b'`' {
            "stray backtick in the program".to_owned()
        } else if byte.is_ascii_graphic() {
            format!("stray `{}` in the program", char::from(byte))
        } else {
            format!("stray byte 0x{byte:02x} in the program")
        };
        let diagnostic = syntax_error(message, self.span(start, self.at), "no token begins so");
        let diagnostic = match byte {
            b'#' => diagnostic.help("a directive stands at the beginning of its line"),
            _ => diagnostic,
        };
        self.messages.push(diagnostic);
    }

    /// A string or a character: up to its closing quote, which must stand on the same line.
    fn quoted(&mut self, prefix: usize, quote: u8) {
        let start = self.at;
        let mut at = start + prefix + 1;
        loop {
            match self.text.get(at) {
                Some(b'\\') if self.text.get(at + 1).is_some_and(|&next| next != b'\n') => at += 2,
                Some(&byte) if byte == quote => {
                    self.at = at + 1;
                    let kind = if quote == b'"' {
                        TokenKind::String
                    } else {
                        TokenKind::Character
                    };
                    self.push(kind, start);
                    return;
                }
                Some(b'\n') | None => {
                    // The rest of the line is lost, and nothing more.
                    self.at = at;
                    let mark = char::from(quote);
                    let what = if quote == b'"' { "string" } else { "character" };
                    self.report(syntax_error(
                        format!("missing terminating `{mark}` of a {what} literal"),
                        self.span(start, start + prefix + 1),
                        "the literal begins here and is open at the end of the line",
                    ));
                    self.push(TokenKind::Bad, start);
                    return;
                }
                Some(_) => at += 1,
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.at = self.line_end();
        if self.text[start + 2..].starts_with(b"@") {
            self.annotation(start, self.at, 0, !self.begins_line);
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut end = start + 2;
        loop {
            match self.text[end..].iter().position(|&byte| byte == b'*') {
                Some(star) if self.text.get(end + star + 1) == Some(&b'/') => {
                    end += star + 2;
                    break;
                }
                Some(star) => end += star + 1,
                None => {
                    self.at = self.text.len();
                    self.report(syntax_error(
                        "unterminated comment",
                        self.span(start, start + 2),
                        "the comment begins here and is never closed",
                    ));
                    self.messages.close();
                    return;
                }
            }
        }
        self.at = end;
        if self.text[start + 2..].starts_with(b"@") {
            self.annotation(start, end, 2, !self.begins_line);
        }
        self.begins_line |= self.text[start..end].contains(&b'\n');
    }

    /// A comment from `start` to `end` that ends with a mark of `tail` bytes.
    fn annotation(&mut self, start: usize, end: usize, tail: usize, is_trailing: bool) {
        let text = self.text.get(start + 3..end - tail).unwrap_or(b"");
        self.lexed.annotations.push(Annotation {
            text: String::from_utf8_lossy(text).into_owned(),
            is_trailing,
            span: self.span(start, end),
        });
    }

    /// Where the current line ends.
    fn line_end(&self) -> usize {
        let rest = &self.text[self.at..];
        self.at
            + rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len())
    }

    /// `_Pragma("…")`, whose `)` has just been read, is no more than the line `#pragma …`.
    fn drop_pragma_operator(&mut self) {
        let tokens = &self.lexed.tokens;
        let [.., word, open, text, close] = &tokens[..] else {
            return;
        };
        if (word.kind, open.kind, text.kind)
            != (
                TokenKind::Keyword(Keyword::Pragma),
                TokenKind::Mark(Mark::ParenOpen),
                TokenKind::String,
            )
        {
            return;
        }
        let (at, word, inner, close) = (close.start, *word, *text, *close);
        let inner = &self.text[inner.start as usize..inner.end as usize];
        let inner = inner.strip_prefix(b"\"").unwrap_or(inner);
        let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
        let inner = without_escapes(inner);
        let span = self.span(word.start as usize, close.end as usize);
        self.lexed.packing.pragma(&inner, at);
        self.lexed.pragmas.push(Pragma {
            text: spaced(&inner),
            span,
        });
        let tokens = &self.lexed.tokens;
        let kept = tokens.len() - 4;
        self.lexed.tokens.truncate(kept);
        self.begins_line = word.begins_line;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        self.source.span(offset(start), offset(end))
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.messages.push(diagnostic);
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("texts are below 4 GiB")
}

/// Bytes above 127 are parts of characters in words.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn word_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        match text.get(length) {
            Some(&byte) if is_word_byte(byte) => length += 1,
            Some(b'\\') => match universal_name_length(&text[length..]) {
                Some(more) => length += more,
                None => return length,
            },
            _ => return length,
        }
    }
}

/// The length of `\u00e9` or `\U000000e9` at the beginning of the text.
fn universal_name_length(text: &[u8]) -> Option<usize> {
    let length = match text {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        _ => return None,
    };
    let digits = text.get(2..length)?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(length)
}
