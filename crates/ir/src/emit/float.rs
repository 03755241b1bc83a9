//! Conversions of floats, correctly rounded.

use super::decimal::Decimal;
use super::{Conversion, ConversionKind};

pub(super) fn convert(conversion: &Conversion, value: f64, output: &mut Vec<u8>) {
    let sign = conversion.sign(value.is_sign_negative());
    let is_upper = match conversion.kind {
        ConversionKind::Fixed { is_upper }
        | ConversionKind::Scientific { is_upper }
        | ConversionKind::General { is_upper }
        | ConversionKind::HexadecimalFloat { is_upper } => is_upper,
        ConversionKind::Signed
        | ConversionKind::Unsigned
        | ConversionKind::Octal
        | ConversionKind::Hexadecimal { .. }
        | ConversionKind::Character
        | ConversionKind::Pointer => false,
    };
    if !value.is_finite() {
        let mut text = sign.to_vec();
        text.extend_from_slice(match (value.is_nan(), is_upper) {
            (true, false) => b"nan",
            (true, true) => b"NAN",
            (false, false) => b"inf",
            (false, true) => b"INF",
        });
        conversion.pad(&text, output);
        return;
    }
    let precision = conversion.precision.unwrap_or(6);
    let is_alternate = conversion.flags.is_alternate;
    let mut head = sign.to_vec();
    let mut digits = match conversion.kind {
        ConversionKind::HexadecimalFloat { .. } => {
            head.extend_from_slice(if is_upper { b"0X" } else { b"0x" });
            hexadecimal(value, conversion.precision, is_alternate)
        }
        ConversionKind::Scientific { .. } => {
            let mut decimal = Decimal::of(value);
            decimal.round_to_digits(precision + 1);
            scientific(&decimal, precision, is_alternate)
        }
        ConversionKind::General { .. } => general(value, precision.max(1), is_alternate),
        ConversionKind::Fixed { .. }
        | ConversionKind::Signed
        | ConversionKind::Unsigned
        | ConversionKind::Octal
        | ConversionKind::Hexadecimal { .. }
        | ConversionKind::Character
        | ConversionKind::Pointer => {
            let mut decimal = Decimal::of(value);
            decimal.round_after_point(precision);
            fixed(&decimal, precision, is_alternate)
        }
    };
    if is_upper {
        digits.make_ascii_uppercase();
    }
    conversion.pad_number(&head, &digits, conversion.flags.is_zero_padded, output);
}

/// `123.450`
fn fixed(decimal: &Decimal, places: usize, has_point: bool) -> Vec<u8> {
    let mut text: Vec<u8> = (0..=decimal.exponent().max(0))
        .rev()
        .map(|power| decimal.digit(power))
        .collect();
    if places > 0 || has_point {
        text.push(b'.');
    }
    text.extend(powers_after(0, places).map(|power| decimal.digit(power)));
    text
}

/// `1.2345e+02`
fn scientific(decimal: &Decimal, places: usize, has_point: bool) -> Vec<u8> {
    let exponent = decimal.exponent();
    let mut text = vec![decimal.digit(exponent)];
    if places > 0 || has_point {
        text.push(b'.');
    }
    text.extend(powers_after(exponent, places).map(|power| decimal.digit(power)));
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend(format!("e{sign}{:02}", exponent.unsigned_abs()).into_bytes());
    text
}

/// The powers of ten of the digits after that of `power`.
fn powers_after(power: i32, places: usize) -> impl Iterator<Item = i32> {
    let places = i32::try_from(places).unwrap_or(i32::MAX);
    (1..=places).map(move |place| power.saturating_sub(place))
}

/// The shorter of the two forms, without zeros at its end unless they are asked for.
fn general(value: f64, precision: usize, is_alternate: bool) -> Vec<u8> {
    let mut decimal = Decimal::of(value);
    decimal.round_to_digits(precision);
    let exponent = decimal.exponent();
    let digits = if is_alternate {
        precision
    } else {
        decimal.significant_digits().max(1)
    };
    let is_scientific =
        exponent < -4 || usize::try_from(exponent).is_ok_and(|exponent| exponent >= precision);
    if is_scientific {
        return scientific(&decimal, digits - 1, is_alternate);
    }
    let last = i64::from(exponent) + 1 - i64::try_from(digits).unwrap_or(i64::MAX);
    let places = usize::try_from(-last).unwrap_or(0);
    fixed(&decimal, places, is_alternate)
}

/// `1.8p+1`, without the prefix.
fn hexadecimal(value: f64, precision: Option<usize>, has_point: bool) -> Vec<u8> {
    /// Hexadecimal digits of the fraction.
    const PLACES: usize = 13;
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let (mut significand, exponent) = match i32::try_from(bits >> 52 & 0x7ff).expect("11 bits") {
        0 if fraction == 0 => (0, 0),
        0 => (fraction, -1022),
        exponent => (fraction | 1 << 52, exponent - 1023),
    };
    if let Some(places) = precision.filter(|places| *places < PLACES) {
        let dropped = 4 * (PLACES - places);
        let (kept, rest) = (significand >> dropped, significand & ((1 << dropped) - 1));
        let half = 1_u64 << (dropped - 1);
        let rounds_up = rest > half || rest == half && kept % 2 == 1;
        significand = (kept + u64::from(rounds_up)) << dropped;
    }
    let all = format!("{:013x}", significand & ((1 << 52) - 1)).into_bytes();
    let places = precision.unwrap_or_else(|| {
        let zeros = all.iter().rev().take_while(|digit| **digit == b'0').count();
        PLACES - zeros
    });
    let mut text = (significand >> 52).to_string().into_bytes();
    if places > 0 || has_point {
        text.push(b'.');
    }
    text.extend(all.into_iter().chain(std::iter::repeat(b'0')).take(places));
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend(format!("p{sign}{}", exponent.unsigned_abs()).into_bytes());
    text
}
