//! The exact decimal digits of a float, and their correct rounding.

/// A number `0.d1d2d3… * 10^point`, exactly. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// 0 to 9 each; the first is not 0.
    digits: Vec<u8>,
    point: i32,
}

/// What one word of a large number holds less than.
const BASE: u64 = 1_000_000_000;

impl Decimal {
    /// The magnitude of a finite float.
    pub(super) fn of(value: f64) -> Decimal {
        let bits = value.to_bits();
        let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("11 bits");
        let fraction = bits & ((1 << 52) - 1);
        let (significand, exponent) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | 1 << 52, exponent - 1075)
        };
        // significand * 2^exponent; a negative power of two is a power of five with a decimal point.
        let mut words = vec![
            significand % BASE,
            significand / BASE % BASE,
            significand / BASE / BASE,
        ];
        let (factor, times, places) = if exponent >= 0 {
            (2_u64, exponent.unsigned_abs(), 0)
        } else {
            (5_u64, exponent.unsigned_abs(), -exponent)
        };
        multiply_by_power(&mut words, factor, times);
        let mut digits: Vec<u8> = words
            .iter()
            .rev()
            .flat_map(|word| format!("{word:09}").into_bytes())
            .map(|digit| digit - b'0')
            .collect();
        let leading = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..leading);
        let point = i32::try_from(digits.len()).expect("at most some thousand digits") - places;
        while digits.pop_if(|digit| *digit == 0).is_some() {}
        if digits.is_empty() {
            return Decimal { digits, point: 0 };
        }
        Decimal { digits, point }
    }

    /// The exponent of the first digit; 0 for zero.
    pub(super) fn exponent(&self) -> i32 {
        if self.digits.is_empty() {
            0
        } else {
            self.point - 1
        }
    }

    /// Rounds to this many digits after the decimal point, to the nearest, ties to even.
    pub(super) fn round_after_point(&mut self, places: usize) {
        let places = i64::try_from(places).unwrap_or(i64::MAX);
        self.round_to(i64::from(self.point).saturating_add(places));
    }

    /// Rounds to this many significant digits.
    pub(super) fn round_to_digits(&mut self, digits: usize) {
        self.round_to(i64::try_from(digits).unwrap_or(i64::MAX));
    }

    fn round_to(&mut self, kept: i64) {
        let Ok(kept) = usize::try_from(kept) else {
            // Less than a tenth of the last place.
            *self = Decimal {
                digits: Vec::new(),
                point: 0,
            };
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let rest = self.digits.split_off(kept);
        let is_odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let rounds_up = rest[0] > 5 || rest[0] == 5 && (rest.len() > 1 || is_odd);
        if rounds_up {
            while self.digits.pop_if(|digit| *digit == 9).is_some() {}
            if let Some(last) = self.digits.last_mut() {
                *last += 1;
            } else {
                self.digits.push(1);
                self.point += 1;
            }
        }
        while self.digits.pop_if(|digit| *digit == 0).is_some() {}
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// The digit, as a character, that stands for this power of ten.
    pub(super) fn digit(&self, power: i32) -> u8 {
        let at = usize::try_from(i64::from(self.point) - 1 - i64::from(power));
        let digit = at.ok().and_then(|at| self.digits.get(at));
        b'0' + digit.copied().unwrap_or(0)
    }

    /// How many digits there are up to the last that is not zero.
    pub(super) fn significant_digits(&self) -> usize {
        self.digits.len()
    }
}

/// Multiplies a number, its least word first, by `factor^times`.
fn multiply_by_power(words: &mut Vec<u64>, factor: u64, times: u32) {
    // 2^29 and 5^12 are the largest powers that are below the base.
    let step = if factor == 2 { 29 } else { 12 };
    let mut left = times;
    while left > 0 {
        let now = left.min(step);
        left -= now;
        let multiplier = factor.pow(now);
        let mut carry = 0;
        for word in words.iter_mut() {
            let product = *word * multiplier + carry;
            *word = product % BASE;
            carry = product / BASE;
        }
        if carry > 0 {
            words.push(carry);
        }
    }
}
