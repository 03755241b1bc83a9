//! What numbers say.

use std::sync::Arc;

use crate::tree::{FloatLiteral, FloatSuffix, IntegerLiteral};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(IntegerLiteral),
    Float(FloatLiteral),
}

/// What is wrong with a number, as a message.
pub(crate) type Problem = String;

/// How long the number at the beginning of the text is, with everything that sticks to it:
/// the preprocessor's idea of a number, which is why `0x1e+1` is one.
pub(super) fn length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        match text[length..] {
            [b'e' | b'E' | b'p' | b'P', b'+' | b'-', ..] => length += 2,
            [byte, ..] if super::is_word_byte(byte) || byte == b'.' => length += 1,
            _ => return length,
        }
    }
}

pub(crate) fn read_number(text: &[u8]) -> Result<Number, Problem> {
    let shown = || String::from_utf8_lossy(text);
    let Ok(number) = std::str::from_utf8(text) else {
        return Err(format!("`{}` is no number", shown()));
    };
    let lower = number.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let is_float = match radix {
        16 => digits.contains(['.', 'p']),
        // A binary number, or zero with the suffix `b…`: neither has an exponent.
        2 => false,
        _ => {
            digits.contains('.')
                || digits
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .starts_with('e')
        }
    };
    if is_float {
        return float(number, radix == 16).map(Number::Float);
    }
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if let Some(digit) = suffix.chars().next().filter(char::is_ascii_digit) {
        let kind = if radix == 8 { "an octal" } else { "a binary" };
        return Err(format!(
            "`{digit}` is no digit of {kind} number, in `{number}`"
        ));
    }
    if digits.is_empty() && radix != 8 {
        return Err(format!("`{number}` has no digits"));
    }
    let literal = integer_suffix(suffix).ok_or_else(|| {
        let suffix = &number[number.len() - suffix.len()..];
        format!("`{suffix}` is no suffix of an integer, in `{number}`")
    })?;
    let value = digits.bytes().try_fold(0_u128, |value, digit| {
        let digit = char::from(digit).to_digit(radix)?;
        value
            .checked_mul(u128::from(radix))?
            .checked_add(u128::from(digit))
            .filter(|&value| value <= u128::from(u64::MAX))
    });
    match value {
        Some(value) => Ok(Number::Integer(IntegerLiteral {
            value,
            is_decimal: radix == 10,
            ..literal
        })),
        None => Err(format!("`{number}` does not fit into 64 bits")),
    }
}

/// `u`, `l` or `ll`, `i` or `j`, in any order; in lower case already.
fn integer_suffix(suffix: &str) -> Option<IntegerLiteral> {
    let mut literal = IntegerLiteral {
        value: 0,
        is_decimal: false,
        is_unsigned: false,
        longs: 0,
        is_imaginary: false,
    };
    let mut rest = suffix.as_bytes();
    loop {
        rest = match rest {
            [] => return Some(literal),
            [b'u', rest @ ..] if !literal.is_unsigned => {
                literal.is_unsigned = true;
                rest
            }
            [b'l', b'l', rest @ ..] if literal.longs == 0 => {
                literal.longs = 2;
                rest
            }
            [b'l', rest @ ..] if literal.longs == 0 => {
                literal.longs = 1;
                rest
            }
            [b'i' | b'j', rest @ ..] if !literal.is_imaginary => {
                literal.is_imaginary = true;
                rest
            }
            _ => return None,
        };
    }
}

fn float(number: &str, is_hexadecimal: bool) -> Result<FloatLiteral, Problem> {
    let bytes = number.as_bytes();
    let (is_digit, mark): (fn(&u8) -> bool, u8) = if is_hexadecimal {
        (u8::is_ascii_hexdigit, b'p')
    } else {
        (u8::is_ascii_digit, b'e')
    };
    let digits_from = |at: usize, is_digit: fn(&u8) -> bool| {
        bytes[at..].iter().take_while(|byte| is_digit(byte)).count()
    };
    let start = if is_hexadecimal { 2 } else { 0 };
    let mut digits = digits_from(start, is_digit);
    let mut at = start + digits;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let more = digits_from(at, is_digit);
        digits += more;
        at += more;
    }
    if bytes.get(at) == Some(&b'.') {
        return Err(format!("`{number}` has too many decimal points"));
    }
    if digits == 0 {
        return Err(format!("`{number}` has no digits"));
    }
    if bytes.get(at).map(u8::to_ascii_lowercase) == Some(mark) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let exponent = digits_from(at, u8::is_ascii_digit);
        if exponent == 0 {
            return Err(format!("the exponent of `{number}` has no digits"));
        }
        at += exponent;
    } else if is_hexadecimal {
        return Err(format!(
            "the hexadecimal number `{number}` needs an exponent, as in `0x1.8p0`"
        ));
    }
    let (text, suffix) = number.split_at(at);
    let (suffix, is_imaginary) = float_suffix(suffix)
        .ok_or_else(|| format!("`{suffix}` is no suffix of a floating number, in `{number}`"))?;
    Ok(FloatLiteral {
        text: Arc::from(text),
        suffix,
        is_imaginary,
    })
}

fn float_suffix(suffix: &str) -> Option<(FloatSuffix, bool)> {
    let lower = suffix.to_ascii_lowercase();
    let mut kind = lower.as_str();
    let mut is_imaginary = false;
    for mark in ["i", "j"] {
        if let Some(rest) = kind.strip_prefix(mark).or_else(|| kind.strip_suffix(mark))
            && !is_imaginary
        {
            is_imaginary = true;
            kind = rest;
        }
    }
    let suffix = match kind {
        // `d` is a GNU extension; the others are those of types that equal `double` on x86.
        "" | "d" | "f64" | "f32x" => FloatSuffix::None,
        "f" | "f32" => FloatSuffix::Float,
        "l" | "f64x" | "w" => FloatSuffix::LongDouble,
        "f16" | "bf16" | "f128" | "q" | "df" | "dd" | "dl" => FloatSuffix::Other,
        _ => return None,
    };
    Some((suffix, is_imaginary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        match read_number(text.as_bytes()) {
            Ok(Number::Integer(it)) => format!(
                "{}{}{}{}{}",
                it.value,
                if it.is_decimal { "" } else { " bits" },
                if it.is_unsigned { " unsigned" } else { "" },
                " long".repeat(usize::from(it.longs)),
                if it.is_imaginary { " imaginary" } else { "" },
            ),
            Ok(Number::Float(it)) => format!(
                "{} {:?}{}",
                it.text,
                it.suffix,
                if it.is_imaginary { " imaginary" } else { "" },
            ),
            Err(problem) => format!("error: {problem}"),
        }
    }

    #[test]
    fn integers_have_four_bases_and_suffixes_in_any_order() {
        let cases = [
            ("0", "0"),
            ("00", "0 bits"),
            ("42u", "42 unsigned"),
            ("0x1FuLL", "31 bits unsigned long long"),
            ("017l", "15 bits long"),
            ("0b101", "5 bits"),
            ("0B1LU", "1 bits unsigned long"),
            ("3i", "3 imaginary"),
            ("18446744073709551615", "18446744073709551615"),
            (
                "18446744073709551616",
                "error: `18446744073709551616` does not fit into 64 bits",
            ),
            ("089", "error: `8` is no digit of an octal number, in `089`"),
            (
                "0b12",
                "error: `2` is no digit of a binary number, in `0b12`",
            ),
            ("0x", "error: `0x` has no digits"),
            ("1lul", "error: `lul` is no suffix of an integer, in `1lul`"),
            (
                "12abc",
                "error: `abc` is no suffix of an integer, in `12abc`",
            ),
            (
                "0x1e+1",
                "error: `+1` is no suffix of an integer, in `0x1e+1`",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(show(text), expected, "{text}");
        }
    }

    #[test]
    fn floats_keep_their_digits_and_lose_their_suffix() {
        let cases = [
            ("1.5", "1.5 None"),
            ("1.", "1. None"),
            (".5f", ".5 Float"),
            ("1e5L", "1e5 LongDouble"),
            ("09.5", "09.5 None"),
            ("1E-3F", "1E-3 Float"),
            ("0x1.8p3", "0x1.8p3 None"),
            ("0x.8P-3f", "0x.8P-3 Float"),
            ("1.0i", "1.0 None imaginary"),
            ("1.0if", "1.0 Float imaginary"),
            ("1.0fj", "1.0 Float imaginary"),
            ("1.0f128", "1.0 Other"),
            ("2.0f64", "2.0 None"),
            ("1.2.3", "error: `1.2.3` has too many decimal points"),
            ("1...3", "error: `1...3` has too many decimal points"),
            ("1e", "error: the exponent of `1e` has no digits"),
            (
                "0x1.8",
                "error: the hexadecimal number `0x1.8` needs an exponent, as in `0x1.8p0`",
            ),
            (
                "1.5x",
                "error: `x` is no suffix of a floating number, in `1.5x`",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(show(text), expected, "{text}");
        }
    }
}
