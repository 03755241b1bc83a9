//! Floating-point literals.

/// The value of a literal without its suffix, rounded once to `double`.
pub(super) fn parse_double(text: &str) -> f64 {
    match hexadecimal(text) {
        Some((mantissa, exponent)) => round_scaled(mantissa, exponent, 53, -1074),
        None => text.parse().unwrap_or(0.0),
    }
}

/// The value of a literal without its suffix, rounded once to `float`.
pub(super) fn parse_float(text: &str) -> f64 {
    match hexadecimal(text) {
        Some((mantissa, exponent)) => {
            let value = round_scaled(mantissa, exponent, 24, -149);
            if value > f64::from(f32::MAX) {
                f64::INFINITY
            } else {
                value
            }
        }
        None => f64::from(text.parse::<f32>().unwrap_or(0.0)),
    }
}

/// `0x1.8p3` as an integer times a power of two. Digits beyond 120 bits only count as "something".
fn hexadecimal(text: &str) -> Option<(u128, i64)> {
    let rest = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))?;
    let (digits, exponent) = match rest.find(['p', 'P']) {
        Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().unwrap_or(0)),
        None => (rest, 0),
    };
    let (mut mantissa, mut exponent) = (0_u128, exponent.clamp(-100_000, 100_000));
    let mut is_after_point = false;
    for digit in digits.chars() {
        if digit == '.' {
            is_after_point = true;
            continue;
        }
        let digit = u128::from(digit.to_digit(16)?);
        if mantissa >> 116 == 0 {
            mantissa = mantissa << 4 | digit;
            if is_after_point {
                exponent -= 4;
            }
        } else {
            mantissa |= u128::from(digit != 0);
            if !is_after_point {
                exponent += 4;
            }
        }
    }
    Some((mantissa, exponent))
}

/// `mantissa * 2^exponent` to the nearest with so many bits and so small a least exponent, ties to even.
fn round_scaled(mantissa: u128, exponent: i64, precision: i64, least: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = 128 - i64::from(mantissa.leading_zeros());
    // The exponent of the last bit that is kept.
    let last = (exponent + length - precision).max(least);
    let shift = last - exponent;
    let (kept, exponent) = if shift <= 0 {
        (mantissa, exponent)
    } else if shift > 127 {
        (0, last)
    } else {
        let kept = mantissa >> shift;
        let rest = mantissa & ((1 << shift) - 1);
        let half = 1_u128 << (shift - 1);
        let is_up = rest > half || (rest == half && kept & 1 == 1);
        (kept + u128::from(is_up), last)
    };
    scale(kept, exponent)
}

/// Exact, as the caller has made sure, or infinite.
fn scale(mantissa: u128, exponent: i64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 54 bits are left, the last of them zero if there are 54"
    )]
    let mut value = mantissa as f64;
    let mut exponent = exponent.clamp(-3000, 3000);
    while exponent > 0 {
        let step = exponent.min(1000);
        value *= 2_f64.powi(i32::try_from(step).expect("at most 1000"));
        exponent -= step;
    }
    while exponent < 0 {
        let step = (-exponent).min(1000);
        value /= 2_f64.powi(i32::try_from(step).expect("at most 1000"));
        exponent += step;
    }
    value
}
