//! Which basic type a number of words make.

use crate::tree::BasicType;
use crate::words::Keyword;

/// The words of a basic type, in any order.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word that was written or not"
)]
pub(super) struct BasicWords {
    pub(super) base: Option<Keyword>,
    pub(super) longs: u8,
    pub(super) is_short: bool,
    pub(super) is_signed: bool,
    pub(super) is_unsigned: bool,
    pub(super) is_complex: bool,
}

/// The type that the words make together.
pub(super) fn combine(words: BasicWords) -> Option<BasicType> {
    let BasicWords {
        base,
        longs,
        is_short,
        is_signed,
        is_unsigned,
        is_complex,
    } = words;
    if is_signed && is_unsigned || is_short && longs > 0 {
        return None;
    }
    let has_sign = is_signed || is_unsigned;
    let has_length = is_short || longs > 0;
    let ty = match base {
        // Without a base `_Complex` is that of `double`.
        None if is_complex && !has_sign && !has_length => BasicType::Double,
        None | Some(Keyword::Int) => match (is_short, longs, is_unsigned) {
            (true, _, false) => BasicType::Short,
            (true, _, true) => BasicType::UnsignedShort,
            (false, 0, false) => BasicType::Int,
            (false, 0, true) => BasicType::UnsignedInt,
            (false, 1, false) => BasicType::Long,
            (false, 1, true) => BasicType::UnsignedLong,
            (false, _, false) => BasicType::LongLong,
            (false, _, true) => BasicType::UnsignedLongLong,
        },
        Some(Keyword::Double) if longs == 1 && !has_sign => BasicType::LongDouble,
        Some(_) if has_length => return None,
        Some(Keyword::Char) => match (is_signed, is_unsigned) {
            (false, false) => BasicType::Char,
            (true, _) => BasicType::SignedChar,
            (false, true) => BasicType::UnsignedChar,
        },
        Some(Keyword::Int128) if is_unsigned => BasicType::UnsignedInt128,
        Some(Keyword::Int128) => BasicType::Int128,
        Some(_) if has_sign => return None,
        Some(Keyword::Void) => BasicType::Void,
        Some(Keyword::Bool) => BasicType::Bool,
        Some(Keyword::Float) => BasicType::Float,
        Some(Keyword::Double) => BasicType::Double,
        Some(Keyword::LongDouble) => BasicType::LongDouble,
        Some(Keyword::Float16) => BasicType::Float16,
        Some(Keyword::Float128) => BasicType::Float128,
        Some(Keyword::Decimal) => BasicType::Decimal,
        Some(_) => return None,
    };
    if !is_complex {
        return Some(ty);
    }
    match ty {
        BasicType::Float | BasicType::Float16 => Some(BasicType::ComplexFloat),
        BasicType::Double => Some(BasicType::ComplexDouble),
        BasicType::LongDouble | BasicType::Float128 => Some(BasicType::ComplexLongDouble),
        BasicType::Void | BasicType::Bool | BasicType::Decimal => None,
        BasicType::Char
        | BasicType::SignedChar
        | BasicType::UnsignedChar
        | BasicType::Short
        | BasicType::UnsignedShort
        | BasicType::Int
        | BasicType::UnsignedInt
        | BasicType::Long
        | BasicType::UnsignedLong
        | BasicType::LongLong
        | BasicType::UnsignedLongLong
        | BasicType::Int128
        | BasicType::UnsignedInt128 => Some(BasicType::ComplexInteger),
        BasicType::ComplexFloat
        | BasicType::ComplexDouble
        | BasicType::ComplexLongDouble
        | BasicType::ComplexInteger => None,
    }
}
