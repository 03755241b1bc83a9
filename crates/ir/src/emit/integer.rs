//! Conversions of integers and pointers.

use crate::arithmetic::signed_value;
use crate::types::IntType;

use super::{Conversion, ConversionKind};

pub(super) fn convert(conversion: &Conversion, bits: u128, int: IntType, output: &mut Vec<u8>) {
    let bits = bits & int.mask();
    let (magnitude, sign): (u128, &[u8]) = if conversion.kind == ConversionKind::Signed {
        let value = signed_value(bits, IntType::signed(int.bits));
        (value.unsigned_abs(), conversion.sign(value < 0))
    } else {
        (bits, b"")
    };
    number(conversion, magnitude, sign, output);
}

/// As glibc does: in hexadecimal with its prefix, the null pointer in words.
pub(super) fn pointer(conversion: &Conversion, bits: u128, output: &mut Vec<u8>) {
    if bits == 0 {
        conversion.pad(b"(nil)", output);
        return;
    }
    let mut hexadecimal = *conversion;
    hexadecimal.kind = ConversionKind::Hexadecimal { is_upper: false };
    hexadecimal.flags.is_alternate = true;
    number(&hexadecimal, bits, conversion.sign(false), output);
}

fn number(conversion: &Conversion, magnitude: u128, sign: &[u8], output: &mut Vec<u8>) {
    let is_alternate = conversion.flags.is_alternate;
    let (mut digits, prefix): (String, &[u8]) = match conversion.kind {
        ConversionKind::Octal => (format!("{magnitude:o}"), b""),
        ConversionKind::Hexadecimal { is_upper } => {
            let prefix: &[u8] = match (is_alternate && magnitude != 0, is_upper) {
                (false, _) => b"",
                (true, false) => b"0x",
                (true, true) => b"0X",
            };
            let digits = if is_upper {
                format!("{magnitude:X}")
            } else {
                format!("{magnitude:x}")
            };
            (digits, prefix)
        }
        ConversionKind::Signed
        | ConversionKind::Unsigned
        | ConversionKind::Character
        | ConversionKind::Fixed { .. }
        | ConversionKind::Scientific { .. }
        | ConversionKind::General { .. }
        | ConversionKind::HexadecimalFloat { .. }
        | ConversionKind::Pointer => (magnitude.to_string(), b""),
    };
    // Zero with a precision of zero has no digits.
    if conversion.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let least = conversion.precision.unwrap_or(1);
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    if conversion.kind == ConversionKind::Octal && is_alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let is_zero_padded = conversion.flags.is_zero_padded && conversion.precision.is_none();
    let head = [sign, prefix].concat();
    conversion.pad_number(&head, digits.as_bytes(), is_zero_padded, output);
}
