//! What `emit` prints: texts with holes, and the conversions of C's `printf` in them.
//!
//! `{}` prints the next argument as people write it. `{%SPEC}` prints it as glibc's `printf` prints it with the same
//! conversion specification: `%[flags][width][.precision]conversion`, without length modifiers, because the argument's
//! own type says how wide it is. Everything else stands for itself, also a brace that begins neither.
//!
//! - `integer`, `float`: what a conversion prints; `decimal`: the exact decimal digits of a float.

mod decimal;
mod float;
mod integer;

use crate::expression::Expression;
use crate::types::{FloatType, IntType, Scalar};

/// A part of an emitted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    Text(&'t str),
    /// `{}`
    Plain,
    /// `{%SPEC}`
    Converted(Conversion),
}

/// A conversion specification of C's `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub flags: Flags,
    pub width: usize,
    pub precision: Option<usize>,
    pub kind: ConversionKind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags of C are independent of one another"
)]
pub struct Flags {
    /// `-`
    pub is_left: bool,
    /// `+`
    pub has_plus: bool,
    /// ` `
    pub has_space: bool,
    /// `#`
    pub is_alternate: bool,
    /// `0`
    pub is_zero_padded: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionKind {
    /// `d`, `i`
    Signed,
    /// `u`
    Unsigned,
    /// `o`
    Octal,
    /// `x`, `X`
    Hexadecimal { is_upper: bool },
    /// `c`: the low byte.
    Character,
    /// `f`, `F`
    Fixed { is_upper: bool },
    /// `e`, `E`
    Scientific { is_upper: bool },
    /// `g`, `G`
    General { is_upper: bool },
    /// `a`, `A`
    HexadecimalFloat { is_upper: bool },
    /// `p`
    Pointer,
}

/// Larger widths and precisions are refused, so that a short text cannot ask for all memory.
const MAX_FIELD: usize = 65_535;

/// The pieces of a text, in order; a message if one of its conversions is none of C's.
pub fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut plain = 0;
    while let Some(brace) = rest[plain..].find('{').map(|at| plain + at) {
        let after = &rest[brace + 1..];
        let (piece, length) = if after.starts_with('}') {
            (Piece::Plain, 1)
        } else if after.starts_with('%') {
            let Some(end) = after.find('}') else {
                return Err(format!("`{{{after}` is not closed by `}}`"));
            };
            (Piece::Converted(conversion(&after[..end])?), end + 1)
        } else {
            plain = brace + 1;
            continue;
        };
        if brace > 0 {
            pieces.push(Piece::Text(&rest[..brace]));
        }
        pieces.push(piece);
        rest = &after[length..];
        plain = 0;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// Reads a specification, which begins with `%`.
fn conversion(spec: &str) -> Result<Conversion, String> {
    let bad = |why: &str| format!("`{{{spec}}}` is no conversion of `printf`: {why}");
    let mut flags = Flags::default();
    let mut rest = &spec[1..];
    while let Some(flag) = rest.chars().next() {
        match flag {
            '-' => flags.is_left = true,
            '+' => flags.has_plus = true,
            ' ' => flags.has_space = true,
            '#' => flags.is_alternate = true,
            '0' => flags.is_zero_padded = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let too_wide = || bad(&format!("a field of more than {MAX_FIELD} characters"));
    let width = take_number(&mut rest).ok_or_else(too_wide)?;
    let precision = match rest.strip_prefix('.') {
        Some(after) => {
            rest = after;
            Some(take_number(&mut rest).ok_or_else(too_wide)?)
        }
        None => None,
    };
    let kind = match rest {
        "d" | "i" => ConversionKind::Signed,
        "u" => ConversionKind::Unsigned,
        "o" => ConversionKind::Octal,
        "x" | "X" => ConversionKind::Hexadecimal {
            is_upper: rest == "X",
        },
        "c" => ConversionKind::Character,
        "f" | "F" => ConversionKind::Fixed {
            is_upper: rest == "F",
        },
        "e" | "E" => ConversionKind::Scientific {
            is_upper: rest == "E",
        },
        "g" | "G" => ConversionKind::General {
            is_upper: rest == "G",
        },
        "a" | "A" => ConversionKind::HexadecimalFloat {
            is_upper: rest == "A",
        },
        "p" => ConversionKind::Pointer,
        _ => return Err(bad("it ends in one of d i u o x X c f F e E g G a A p")),
    };
    Ok(Conversion {
        flags,
        width,
        precision,
        kind,
    })
}

/// The number that a text begins with, 0 if it begins with none; `None` if it is too large.
fn take_number(rest: &mut &str) -> Option<usize> {
    let end = rest
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    *rest = after;
    if digits.is_empty() {
        return Some(0);
    }
    digits.parse().ok().filter(|it| *it <= MAX_FIELD)
}

impl ConversionKind {
    /// Whether arguments of this type can be converted so.
    pub fn fits(self, ty: Scalar) -> bool {
        match self.argument() {
            Argument::Integer => matches!(ty, Scalar::Int(_)),
            Argument::Float => matches!(ty, Scalar::Float(_)),
            Argument::Pointer => ty == Scalar::Pointer,
        }
    }

    /// What it prints, in words.
    pub fn argument_word(self) -> &'static str {
        match self.argument() {
            Argument::Integer => "an integer",
            Argument::Float => "a float",
            Argument::Pointer => "a pointer",
        }
    }

    fn argument(self) -> Argument {
        match self {
            ConversionKind::Signed
            | ConversionKind::Unsigned
            | ConversionKind::Octal
            | ConversionKind::Hexadecimal { .. }
            | ConversionKind::Character => Argument::Integer,
            ConversionKind::Fixed { .. }
            | ConversionKind::Scientific { .. }
            | ConversionKind::General { .. }
            | ConversionKind::HexadecimalFloat { .. } => Argument::Float,
            ConversionKind::Pointer => Argument::Pointer,
        }
    }
}

enum Argument {
    Integer,
    Float,
    Pointer,
}

impl Conversion {
    /// What is printed for the bits of an argument whose type [fits](ConversionKind::fits).
    pub fn convert(&self, bits: u128, ty: Scalar, output: &mut Vec<u8>) {
        match (self.kind, ty) {
            (ConversionKind::Character, _) => {
                self.pad(&[bits.to_le_bytes()[0]], output);
            }
            (ConversionKind::Pointer, _) => integer::pointer(self, bits, output),
            (
                ConversionKind::Fixed { .. }
                | ConversionKind::Scientific { .. }
                | ConversionKind::General { .. }
                | ConversionKind::HexadecimalFloat { .. },
                Scalar::Float(float),
            ) => float::convert(self, double(bits, float), output),
            (_, Scalar::Int(int)) => integer::convert(self, bits, int, output),
            // Not valid; printed as bits.
            (_, Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => {
                integer::convert(self, bits, IntType::unsigned(128), output);
            }
        }
    }

    /// A text in its field, filled up with spaces.
    fn pad(&self, text: &[u8], output: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(text.len());
        if !self.flags.is_left {
            output.resize(output.len() + missing, b' ');
        }
        output.extend_from_slice(text);
        if self.flags.is_left {
            output.resize(output.len() + missing, b' ');
        }
    }

    /// A number in its field: sign and prefix, then zeros if the field is filled with zeros, then digits.
    fn pad_number(&self, head: &[u8], digits: &[u8], is_zero_padded: bool, output: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(head.len() + digits.len());
        let zeros = is_zero_padded && !self.flags.is_left;
        if !self.flags.is_left && !zeros {
            output.resize(output.len() + missing, b' ');
        }
        output.extend_from_slice(head);
        if zeros {
            output.resize(output.len() + missing, b'0');
        }
        output.extend_from_slice(digits);
        if self.flags.is_left {
            output.resize(output.len() + missing, b' ');
        }
    }

    /// The sign of a number, or what stands in its place.
    fn sign(&self, is_negative: bool) -> &'static [u8] {
        if is_negative {
            b"-"
        } else if self.flags.has_plus {
            b"+"
        } else if self.flags.has_space {
            b" "
        } else {
            b""
        }
    }
}

fn double(bits: u128, ty: FloatType) -> f64 {
    match ty {
        FloatType::F32 => f64::from(f32::from_bits(u32::try_from(bits).unwrap_or(0))),
        FloatType::F64 => f64::from_bits(u64::try_from(bits).unwrap_or(0)),
    }
}

/// A text and its arguments that print exactly these bytes, whatever they are: what begins no hole stands for itself,
/// the rest becomes characters.
pub fn literal(bytes: &[u8]) -> (String, Vec<Expression>) {
    let (mut text, mut arguments) = (String::new(), Vec::new());
    let mut byte = |it: u8, text: &mut String| {
        text.push_str("{%c}");
        arguments.push(Expression::Constant(
            u128::from(it),
            Scalar::Int(IntType::unsigned(8)),
        ));
    };
    for chunk in bytes.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            // A brace at the end of a chunk might come to stand before a hole.
            let is_safe = |next: char| next != '}' && next != '%' && next != '{';
            if character == '{' && !characters.peek().is_some_and(|next| is_safe(*next)) {
                byte(b'{', &mut text);
            } else {
                text.push(character);
            }
        }
        for &it in chunk.invalid() {
            byte(it, &mut text);
        }
    }
    (text, arguments)
}

#[cfg(test)]
mod tests;
