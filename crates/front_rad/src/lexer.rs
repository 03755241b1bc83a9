//! Cuts text into tokens, one at a time, so that a file of any size costs no more than what is read of it.

use raddle_base::{FileId, Span};

/// A piece of text. What it says is looked up in the text when it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// A new line begins between the token before and this one: a statement may end here.
    pub(crate) begins_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// A name in backticks; never a keyword.
    QuotedWord,
    /// Digits with everything that sticks to them, as in `0xffu8` and `1.5e-3f32`.
    Number,
    Text,
    Character,
    Mark(&'static str),
    End,
    Bad(BadToken),
}

/// What no token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadToken {
    Character,
    OpenComment,
    OpenText,
    OpenCharacter,
    OpenName,
}

/// Longer marks come before their beginnings.
const MARKS: &[&str] = &[
    "<<%", ">>%", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "?=", "+%", "-%", "*%",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "+", "-", "*", "/", "%", "&", "|", "^",
    "~", "!", "<", ">", "?",
];

#[derive(Clone, Debug)]
pub(crate) struct Lexer<'s> {
    file: FileId,
    text: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(file: FileId, text: &'s str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { file, text, at }
    }

    pub(crate) fn next_token(&mut self) -> Token {
        let mut begins_line = false;
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            match rest {
                [b'\n', ..] => {
                    begins_line = true;
                    self.at += 1;
                }
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'/', b'/', ..] => {
                    self.at += rest
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(rest.len());
                }
                [b'/', b'*', ..] => {
                    let Some(length) = self.text[self.at + 2..].find("*/") else {
                        let start = self.at;
                        self.at = self.text.len();
                        let span = self.span(start, start + 2);
                        return Token {
                            kind: TokenKind::Bad(BadToken::OpenComment),
                            span,
                            begins_line,
                        };
                    };
                    let end = self.at + 2 + length + 2;
                    begins_line |= self.text[self.at..end].contains('\n');
                    self.at = end;
                }
                _ => break,
            }
        }
        let start = self.at;
        let kind = self.token_kind();
        Token {
            kind,
            span: self.span(start, self.at),
            begins_line,
        }
    }

    fn token_kind(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let Some(&first) = bytes.first() else {
            return TokenKind::End;
        };
        match first {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => {
                self.at += bytes
                    .iter()
                    .position(|byte| !is_word_byte(*byte))
                    .unwrap_or(bytes.len());
                TokenKind::Word
            }
            b'0'..=b'9' => {
                self.at += number_length(bytes);
                TokenKind::Number
            }
            b'"' => self.delimited(b'"', TokenKind::Text, BadToken::OpenText),
            b'\'' => self.delimited(b'\'', TokenKind::Character, BadToken::OpenCharacter),
            b'`' => match bytes[1..].iter().position(|&b| b == b'`' || b == b'\n') {
                Some(length) if length > 0 && bytes[length + 1] == b'`' => {
                    self.at += length + 2;
                    TokenKind::QuotedWord
                }
                _ => {
                    self.at += 1;
                    TokenKind::Bad(BadToken::OpenName)
                }
            },
            _ => {
                if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                    self.at += mark.len();
                    TokenKind::Mark(mark)
                } else {
                    self.at += rest.chars().next().map_or(1, char::len_utf8);
                    TokenKind::Bad(BadToken::Character)
                }
            }
        }
    }

    /// A text or a character: up to its closing quote, which must stand on the same line.
    fn delimited(&mut self, quote: u8, kind: TokenKind, bad: BadToken) -> TokenKind {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut at = 1;
        loop {
            match bytes.get(at) {
                Some(b'\\') if bytes.get(at + 1).is_some_and(|&next| next != b'\n') => at += 2,
                Some(&byte) if byte == quote => {
                    self.at += at + 1;
                    return kind;
                }
                Some(b'\n') | None => {
                    // The rest of the line is lost, and nothing more.
                    self.at += at;
                    return TokenKind::Bad(bad);
                }
                Some(_) => at += 1,
            }
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            file: self.file,
            start: offset(start),
            end: offset(end),
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn number_length(bytes: &[u8]) -> usize {
    let is_decimal = !matches!(bytes, [b'0', b'x' | b'X' | b'b' | b'B', ..]);
    let mut at = 0;
    let mut has_point = false;
    while let Some(&byte) = bytes.get(at) {
        let next_is_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let continues = match byte {
            b'.' => is_decimal && !has_point && next_is_digit,
            b'+' | b'-' => is_decimal && has_exponent(&bytes[..at]) && next_is_digit,
            _ => is_word_byte(byte),
        };
        if !continues {
            break;
        }
        has_point |= byte == b'.';
        at += 1;
    }
    at
}

/// Whether digits, perhaps with a point, and an `e` were read.
fn has_exponent(bytes: &[u8]) -> bool {
    bytes.split_last().is_some_and(|(&last, digits)| {
        (last == b'e' || last == b'E')
            && digits
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.' || *byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use raddle_base::SourceMap;

    use super::*;

    fn check(text: &str, expected: &str) {
        let file = SourceMap::new().add("a.rad", text);
        let mut lexer = Lexer::new(file, text);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next_token();
            let line = if token.begins_line { "|" } else { "" };
            let piece = &text[token.span.start as usize..token.span.end as usize];
            match token.kind {
                TokenKind::End => break,
                TokenKind::Bad(bad) => tokens.push(format!("{line}{bad:?}")),
                _ => tokens.push(format!("{line}{piece}")),
            }
        }
        assert_eq!(tokens.join(" "), expected);
    }

    #[test]
    fn marks_are_as_long_as_possible() {
        check("a<<%b<<c<=-%d->e", "a <<% b << c <= -% d -> e");
    }

    #[test]
    fn numbers_keep_their_suffix() {
        check(
            "0xffu8 1.5e-3f32 3.f 1e+5 1-2",
            "0xffu8 1.5e-3f32 3 . f 1e+5 1 - 2",
        );
    }

    #[test]
    fn comments_hide_text_but_not_line_ends() {
        check("a // b\nc /* d\n */ e /* f */ g", "a |c |e g");
    }

    #[test]
    fn names_in_backticks_are_words() {
        check("`f::x` ``\n`a", "`f::x` OpenName OpenName |OpenName a");
    }

    #[test]
    fn a_text_that_does_not_end_costs_its_line() {
        check(
            "emit \"a\\\"b\"\nemit \"abc\nx",
            "emit \"a\\\"b\" |emit OpenText |x",
        );
    }

    #[test]
    fn strange_characters_are_bad_one_by_one() {
        check("é§ \u{0}x", "Character Character Character x");
    }
}
