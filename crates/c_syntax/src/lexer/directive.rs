//! Lines that begin with `#`.
//!
//! Line markers are passed over. Pragmas are kept as text; `#pragma pack`, which changes the layout of structs, is also read.
//! Anything else means that the text has not been through the preprocessor.

use super::{Lexer, offset};
use crate::message::syntax_error;
use crate::tree::Pragma;

impl Lexer<'_, '_> {
    /// The rest of the line, whose `#` or `%:` has `mark` bytes.
    pub(super) fn directive(&mut self, mark: usize) {
        let start = self.at;
        let end = self.line_end();
        self.at = end;
        let body = self.text[start + mark..end].trim_ascii();
        let word_length = body
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric())
            .unwrap_or(body.len());
        let (word, rest) = body.split_at(word_length);
        match word {
            [] | [b'0'..=b'9', ..] | b"line" | b"ident" | b"sccs" | b"assert" | b"unassert" => {}
            b"pragma" => {
                self.lexed.packing.pragma(rest, offset(end));
                let span = self.span(start, end);
                self.lexed.pragmas.push(Pragma {
                    text: spaced(rest),
                    span,
                });
            }
            _ => {
                let word = String::from_utf8_lossy(word);
                self.report(
                    syntax_error(
                        format!("`#{word}` has not been preprocessed"),
                        self.span(start, end),
                        "only line markers and pragmas may stand here",
                    )
                    .help("run the preprocessor first, as in `cc -E file.c -o file.i`"),
                );
            }
        }
    }
}

/// The words and marks of a pragma with one space between them; what stands in quotes stays as it is.
pub(super) fn spaced(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut spaced = String::new();
    let mut is_quoted = false;
    let mut was_word = false;
    for character in text.chars() {
        let is_word = character.is_alphanumeric() || matches!(character, '_' | '-');
        if is_quoted {
            spaced.push(character);
        } else if character.is_whitespace() {
            was_word = false;
            continue;
        } else {
            if !(spaced.is_empty() || was_word && is_word) {
                spaced.push(' ');
            }
            spaced.push(character);
        }
        is_quoted ^= character == '"';
        was_word = is_word;
    }
    spaced
}

/// What stands in the literal of `_Pragma("…")`.
pub(super) fn without_escapes(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => plain.extend(bytes.next()),
            _ => plain.push(byte),
        }
    }
    plain
}

/// What `#pragma pack` says at each place: the largest alignment that members of a struct may have.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    /// From each place on; nothing for the usual alignment.
    changes: Vec<(u32, Option<u32>)>,
    pushed: Vec<Option<u32>>,
}

impl Packing {
    pub(crate) fn at(&self, place: u32) -> Option<u32> {
        let passed = self.changes.partition_point(|&(from, _)| from <= place);
        self.changes[..passed].last().and_then(|&(_, limit)| limit)
    }

    /// A pragma that ends at `place`. gcc ignores what it does not understand, and so does this.
    pub(super) fn pragma(&mut self, text: &[u8], place: u32) {
        let Some(arguments) = text
            .trim_ascii()
            .strip_prefix(b"pack")
            .map(<[u8]>::trim_ascii)
            .and_then(|rest| rest.strip_prefix(b"("))
            .and_then(|rest| rest.split(|&byte| byte == b')').next())
        else {
            return;
        };
        let mut limit = self.changes.last().and_then(|&(_, limit)| limit);
        for argument in arguments.split(|&byte| byte == b',') {
            match argument.trim_ascii() {
                b"push" => self.pushed.push(limit),
                b"pop" => limit = self.pushed.pop().flatten(),
                [] | b"0" => limit = None,
                b"1" => limit = Some(1),
                b"2" => limit = Some(2),
                b"4" => limit = Some(4),
                b"8" => limit = Some(8),
                b"16" => limit = Some(16),
                // The name that a `push` may have.
                _ => {}
            }
        }
        self.changes.push((place, limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_words_and_marks() {
        assert_eq!(spaced(b"  weak  f=g "), "weak f = g");
        assert_eq!(
            spaced(b"GCC optimize(\"O3\",\"a  b\")"),
            "GCC optimize ( \"O3\" , \"a  b\" )"
        );
        assert_eq!(
            without_escapes(br#"GCC optimize(\"O3\")"#),
            b"GCC optimize(\"O3\")"
        );
    }

    #[test]
    fn packing_is_pushed_and_popped() {
        let mut packing = Packing::default();
        packing.pragma(b" pack(push, 1) ", 10);
        packing.pragma(b"pack (push)", 20);
        packing.pragma(b"pack(4)", 30);
        packing.pragma(b"pack(pop)", 40);
        packing.pragma(b"pack()", 50);
        packing.pragma(b"GCC diagnostic push", 60);
        let limits: Vec<_> = [0, 10, 25, 35, 45, 55, 65].map(|at| packing.at(at)).into();
        assert_eq!(
            limits,
            [None, Some(1), Some(1), Some(4), Some(1), None, None]
        );
    }
}
