//! What characters and strings say, as gcc reads them: the source and narrow literals are UTF-8, `wchar_t` has 32 bits.

use super::Source;
use crate::message::{Messages, syntax_error, syntax_warning};
use crate::token::Token;
use crate::tree::{CharacterLiteral, Encoding, StringLiteral};

/// A piece of a literal between the quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A byte of the source.
    Byte(u8),
    /// A character by its universal name.
    Character(char),
    /// A code unit, whatever the encoding.
    Unit(u32),
}

pub(crate) fn read_character(
    source: &Source<'_>,
    token: Token,
    messages: &mut Messages,
) -> CharacterLiteral {
    let text = source.text(token);
    let (encoding, is_u8, inner) = without_quotes(text);
    let pieces = pieces(source, token, inner, encoding, messages);
    let units = encode(&pieces, encoding);
    if units.is_empty() {
        messages.push(syntax_error(
            "empty character literal",
            source.token_span(token),
            "a character must stand between the quotes",
        ));
    }
    let value = match encoding {
        Encoding::Bytes => match units[..] {
            [unit] if is_u8 => i64::from(unit),
            // Plain `char` is signed on x86.
            [unit] => i64::from(unit.to_le_bytes()[0].cast_signed()),
            _ => {
                if units.len() > 4 || is_u8 {
                    messages.push(syntax_warning(
                        "character literal too long for its type",
                        source.token_span(token),
                        "only the last characters count",
                    ));
                }
                let value = units
                    .iter()
                    .fold(0_u32, |value, unit| value << 8 | (unit & 0xff));
                i64::from(value.cast_signed())
            }
        },
        Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
            if units.len() > 1 {
                messages.push(syntax_warning(
                    "character literal too long for its type",
                    source.token_span(token),
                    "only the last character counts",
                ));
            }
            let unit = units.last().copied().unwrap_or(0);
            if encoding == Encoding::Wide {
                i64::from(unit.cast_signed())
            } else {
                i64::from(unit)
            }
        }
    };
    CharacterLiteral { value, encoding }
}

/// Adjacent string literals, at least one, as one.
pub(crate) fn read_strings(
    source: &Source<'_>,
    tokens: &[Token],
    messages: &mut Messages,
) -> StringLiteral {
    let span = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => source.span(first.start, last.end),
        _ => source.span(0, 0),
    };
    let mut encoding = Encoding::Bytes;
    for &token in tokens {
        let (own, _, _) = without_quotes(source.text(token));
        if own == Encoding::Bytes || own == encoding {
            continue;
        }
        if encoding != Encoding::Bytes {
            messages.push(syntax_error(
                "string literals of different encodings stand next to each other",
                source.token_span(token),
                "this one has another prefix than those before it",
            ));
            break;
        }
        encoding = own;
    }
    let mut units = Vec::new();
    for &token in tokens {
        let (_, _, inner) = without_quotes(source.text(token));
        let pieces = pieces(source, token, inner, encoding, messages);
        units.append(&mut encode(&pieces, encoding));
    }
    StringLiteral {
        units,
        encoding,
        span,
    }
}

/// The encoding, whether the prefix is `u8`, and what stands between the quotes.
fn without_quotes(text: &[u8]) -> (Encoding, bool, &[u8]) {
    let (encoding, is_u8, quoted) = match text {
        [b'L', rest @ ..] => (Encoding::Wide, false, rest),
        [b'u', b'8', rest @ ..] => (Encoding::Bytes, true, rest),
        [b'u', rest @ ..] => (Encoding::Utf16, false, rest),
        [b'U', rest @ ..] => (Encoding::Utf32, false, rest),
        rest => (Encoding::Bytes, false, rest),
    };
    let inner = match quoted {
        [_, inner @ .., _] => inner,
        _ => &[],
    };
    (encoding, is_u8, inner)
}

fn pieces(
    source: &Source<'_>,
    token: Token,
    inner: &[u8],
    encoding: Encoding,
    messages: &mut Messages,
) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(&byte) = inner.get(at) {
        if byte != b'\\' {
            pieces.push(Piece::Byte(byte));
            at += 1;
            continue;
        }
        let escape = read_escape(&inner[at..], encoding);
        pieces.push(escape.piece);
        match escape.problem {
            None => {}
            Some(Problem::Error(message)) => {
                messages.push(syntax_error(
                    message,
                    source.token_span(token),
                    "in this literal",
                ));
            }
            Some(Problem::Warning(message)) => {
                messages.push(syntax_warning(
                    message,
                    source.token_span(token),
                    "in this literal",
                ));
            }
        }
        at += escape.length;
    }
    pieces
}

struct Escape {
    piece: Piece,
    /// With the backslash.
    length: usize,
    problem: Option<Problem>,
}

enum Problem {
    Error(String),
    Warning(String),
}

fn read_escape(text: &[u8], encoding: Encoding) -> Escape {
    let simple = |unit: u32| Escape {
        piece: Piece::Unit(unit),
        length: 2,
        problem: None,
    };
    match text.get(1) {
        Some(b'n') => simple(10),
        Some(b't') => simple(9),
        Some(b'r') => simple(13),
        Some(b'a') => simple(7),
        Some(b'b') => simple(8),
        Some(b'f') => simple(12),
        Some(b'v') => simple(11),
        // A GNU extension.
        Some(b'e' | b'E') => simple(27),
        Some(&byte @ (b'\\' | b'\'' | b'"' | b'?')) => simple(u32::from(byte)),
        Some(b'0'..=b'7') => {
            let digits = text[1..]
                .iter()
                .take(3)
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            numeric(&text[..=digits], 1, 8, encoding)
        }
        Some(b'x') => {
            let digits = text[2..]
                .iter()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            numeric(&text[..2 + digits], 2, 16, encoding)
        }
        Some(b'u') => universal(text, 4),
        Some(b'U') => universal(text, 8),
        Some(&byte) => Escape {
            piece: Piece::Byte(byte),
            length: 2,
            problem: Some(Problem::Warning(format!(
                "unknown escape sequence `\\{}`",
                char::from(byte).escape_default()
            ))),
        },
        None => Escape {
            piece: Piece::Byte(b'\\'),
            length: 1,
            problem: None,
        },
    }
}

/// An octal or hexadecimal escape, whose digits begin at `skip`.
fn numeric(text: &[u8], skip: usize, radix: u32, encoding: Encoding) -> Escape {
    let largest: u64 = match encoding {
        Encoding::Bytes => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Wide | Encoding::Utf32 => 0xffff_ffff,
    };
    let digits = &text[skip..];
    let value = digits.iter().fold(0_u64, |value, &digit| {
        let digit = char::from(digit).to_digit(radix).unwrap_or(0);
        // What is cut off does not matter once it is too large.
        (value & (u64::MAX >> 8)) * u64::from(radix) + u64::from(digit)
    });
    let shown = String::from_utf8_lossy(text);
    let problem = if digits.is_empty() {
        Some(Problem::Error(
            "`\\x` is not followed by hexadecimal digits".into(),
        ))
    } else if value > largest {
        Some(Problem::Warning(format!(
            "escape sequence `{shown}` is out of range"
        )))
    } else {
        None
    };
    let unit = u32::try_from(value & largest).unwrap_or(u32::MAX);
    Escape {
        piece: Piece::Unit(unit),
        length: text.len(),
        problem,
    }
}

fn universal(text: &[u8], wanted: usize) -> Escape {
    let digits: Vec<u8> = text[2..]
        .iter()
        .take(wanted)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .copied()
        .collect();
    let value = digits.iter().fold(0_u32, |value, &digit| {
        value << 4 | char::from(digit).to_digit(16).unwrap_or(0)
    });
    let length = 2 + digits.len();
    let shown = String::from_utf8_lossy(&text[..length]).into_owned();
    match char::from_u32(value) {
        Some(character) if digits.len() == wanted => Escape {
            piece: Piece::Character(character),
            length,
            problem: None,
        },
        _ => {
            let reason = if digits.len() == wanted {
                "is no character"
            } else {
                "has too few digits"
            };
            Escape {
                piece: Piece::Unit(0),
                length,
                problem: Some(Problem::Error(format!(
                    "universal character name `{shown}` {reason}"
                ))),
            }
        }
    }
}

/// The code units of a literal.
fn encode(pieces: &[Piece], encoding: Encoding) -> Vec<u32> {
    let mut units = Vec::with_capacity(pieces.len());
    let mut bytes = Vec::new();
    for &piece in pieces {
        match (piece, encoding) {
            (Piece::Byte(byte), Encoding::Bytes) => units.push(u32::from(byte)),
            (Piece::Byte(byte), _) => bytes.push(byte),
            (Piece::Character(character), _) => {
                push_bytes(&mut units, &mut bytes, encoding);
                push_character(&mut units, character, encoding);
            }
            (Piece::Unit(unit), _) => {
                push_bytes(&mut units, &mut bytes, encoding);
                units.push(unit);
            }
        }
    }
    push_bytes(&mut units, &mut bytes, encoding);
    units
}

/// Bytes of the source in a wide literal are UTF-8; a byte that is not stands for itself.
fn push_bytes(units: &mut Vec<u32>, bytes: &mut Vec<u8>, encoding: Encoding) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            push_character(units, character, encoding);
        }
        units.extend(chunk.invalid().iter().map(|&byte| u32::from(byte)));
    }
    bytes.clear();
}

fn push_character(units: &mut Vec<u32>, character: char, encoding: Encoding) {
    match encoding {
        Encoding::Bytes => {
            let mut buffer = [0; 4];
            let text = character.encode_utf8(&mut buffer);
            units.extend(text.bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            let text = character.encode_utf16(&mut buffer);
            units.extend(text.iter().map(|&unit| u32::from(unit)));
        }
        Encoding::Wide | Encoding::Utf32 => units.push(u32::from(character)),
    }
}
