//! What numbers, texts and characters say.

use raddle_ir::{FloatType, IntType};

/// The type written behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    Int(IntType),
    /// `usize` or `isize`.
    Word {
        is_signed: bool,
    },
    Float(FloatType),
    Pointer,
    Thread,
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number<'s> {
    Integer {
        value: u128,
        /// In hexadecimal or binary: any bits of the type may be written, for signed types too.
        is_bits: bool,
        suffix: Option<Suffix>,
    },
    Float {
        /// Something that [`str::parse`] reads.
        digits: &'s str,
        suffix: Option<FloatType>,
    },
}

/// Reads a number token.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn number(text: &str) -> Result<Number<'_>, String> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return bits(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")) {
        return bits(digits, 2);
    }
    let mantissa = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
        .unwrap_or(text.len());
    let digits_end = match &text.as_bytes()[mantissa..] {
        [b'e' | b'E', rest @ ..] => {
            let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
            let digits = rest[sign..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count();
            if digits == 0 {
                mantissa
            } else {
                mantissa + 1 + sign + digits
            }
        }
        _ => mantissa,
    };
    let (digits, suffix) = text.split_at(digits_end);
    let suffix = suffix_of(suffix)?;
    if digits.contains(['.', 'e', 'E']) {
        let suffix = match suffix {
            None => None,
            Some(Suffix::Float(float)) => Some(float),
            Some(_) => {
                return Err(format!(
                    "`{text}` has a point, but its suffix is no float type"
                ));
            }
        };
        if digits.contains('_') {
            return Err(format!("`{text}` is a float and may not contain `_`"));
        }
        return Ok(Number::Float { digits, suffix });
    }
    if let Some(Suffix::Float(float)) = suffix {
        return Ok(Number::Float {
            digits,
            suffix: Some(float),
        });
    }
    let value = digits_in(digits, 10).ok_or_else(|| too_large(text))?;
    Ok(Number::Integer {
        value,
        is_bits: false,
        suffix,
    })
}

fn too_large(text: &str) -> String {
    let mut shown: String = text.chars().take(20).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{shown}` does not fit 128 bits")
}

fn bits(text: &str, radix: u32) -> Result<Number<'_>, String> {
    let prefix = if radix == 16 { "0x" } else { "0b" };
    // `f` is a digit too: only a number of full width followed by `f32` or `f64` is a float.
    for (float, digits, name) in [(FloatType::F32, 8, "f32"), (FloatType::F64, 16, "f64")] {
        if radix == 16 && text.len() == digits + 3 && text.ends_with(name) {
            let value = digits_in(&text[..digits], 16)
                .ok_or_else(|| format!("`{prefix}{text}` is not a number"))?;
            return Ok(Number::Integer {
                value,
                is_bits: true,
                suffix: Some(Suffix::Float(float)),
            });
        }
    }
    let end = text
        .find(|c: char| !(c.is_digit(radix) || c == '_'))
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let suffix = suffix_of(suffix)?;
    if !digits.contains(|c: char| c != '_') {
        return Err(format!("`{prefix}{text}` has no digits"));
    }
    let value = digits_in(digits, radix).ok_or_else(|| too_large(&format!("{prefix}{text}")))?;
    Ok(Number::Integer {
        value,
        is_bits: true,
        suffix,
    })
}

fn digits_in(text: &str, radix: u32) -> Option<u128> {
    text.chars()
        .filter(|&c| c != '_')
        .try_fold(0_u128, |value, c| {
            value
                .checked_mul(u128::from(radix))?
                .checked_add(u128::from(c.to_digit(radix)?))
        })
}

fn suffix_of(text: &str) -> Result<Option<Suffix>, String> {
    Ok(Some(match text {
        "" => return Ok(None),
        "usize" => Suffix::Word { is_signed: false },
        "isize" => Suffix::Word { is_signed: true },
        "f32" => Suffix::Float(FloatType::F32),
        "f64" => Suffix::Float(FloatType::F64),
        "ptr" => Suffix::Pointer,
        "thread" => Suffix::Thread,
        _ => match int_type(text) {
            Some(int) => Suffix::Int(int),
            None => return Err(format!("`{text}` is no type that a number can have")),
        },
    }))
}

/// `u1` to `i128`.
pub(crate) fn int_type(text: &str) -> Option<IntType> {
    let (is_signed, bits) = match text.as_bytes() {
        [b'u', ..] => (false, &text[1..]),
        [b'i', ..] => (true, &text[1..]),
        _ => return None,
    };
    if bits.len() > 3 || bits.starts_with('0') || !bits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let bits: u8 = bits.parse().ok()?;
    (1..=128)
        .contains(&bits)
        .then_some(IntType { bits, is_signed })
}

/// The characters between the quotes of a text or character token.
///
/// # Errors
///
/// The escape that is wrong.
pub(crate) fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('0') => plain.push('\0'),
            Some(same @ ('\\' | '"' | '\'')) => plain.push(same),
            Some('x') => {
                let code = [rest.next(), rest.next()]
                    .iter()
                    .try_fold(0, |code, digit| Some(code * 16 + (*digit)?.to_digit(16)?));
                let c = code.and_then(char::from_u32);
                plain.push(c.ok_or("`\\x` needs two hexadecimal digits, as in `\\x1b`")?);
            }
            Some('u') => {
                let after = rest.as_str();
                let c = after
                    .strip_prefix('{')
                    .and_then(|inner| inner.split_once('}'))
                    .and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok())
                    .and_then(char::from_u32);
                plain.push(c.ok_or("`\\u` needs the number of a character, as in `\\u{e9}`")?);
                rest = after[after.find('}').map_or(0, |end| end + 1)..].chars();
            }
            Some(other) => return Err(format!("`\\{other}` is no escape")),
            None => return Err("a `\\` stands at the end".into()),
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let actual = match number(text) {
            Ok(Number::Integer {
                value,
                is_bits,
                suffix,
            }) => {
                format!("{value} {is_bits} {suffix:?}")
            }
            Ok(Number::Float { digits, suffix }) => format!("{digits} {suffix:?}"),
            Err(message) => message,
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn suffixes_give_types() {
        check("3", "3 false None");
        check(
            "1_000u32",
            "1000 false Some(Int(IntType { bits: 32, is_signed: false }))",
        );
        check(
            "0b101i7",
            "5 true Some(Int(IntType { bits: 7, is_signed: true }))",
        );
        check("7isize", "7 false Some(Word { is_signed: true })");
        check("0x10ptr", "16 true Some(Pointer)");
        check("3u129", "`u129` is no type that a number can have");
        check("12abc", "`abc` is no type that a number can have");
    }

    #[test]
    fn hexadecimal_numbers_of_full_width_can_be_floats() {
        check("0x3f800000f32", "1065353216 true Some(Float(F32))");
        check(
            "0x7ff0000000000000f64",
            "9218868437227405312 true Some(Float(F64))",
        );
        check("0xf64", "3940 true None");
    }

    #[test]
    fn floats_have_a_point_or_an_exponent_or_a_suffix() {
        check("1.5", "1.5 None");
        check("1e5f32", "1e5 Some(F32)");
        check("2f64", "2 Some(F64)");
        check(
            "1.5u8",
            "`1.5u8` has a point, but its suffix is no float type",
        );
    }

    #[test]
    fn numbers_that_are_too_large_are_named() {
        check(
            "340282366920938463463374607431768211455",
            "340282366920938463463374607431768211455 false None",
        );
        check(
            "340282366920938463463374607431768211456",
            "`34028236692093846346…` does not fit 128 bits",
        );
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(unescape(r#"a\n\x41\u{e9}\\\""#).unwrap(), "a\nAé\\\"");
        assert!(unescape(r"\q").is_err());
        assert!(unescape(r"\x4").is_err());
        assert!(unescape(r"\u{110000}").is_err());
        assert!(unescape(r"\u").is_err());
    }
}
