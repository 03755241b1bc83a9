//! Circuits for multiplication, division and shifts. All bits are given lowest first.

use super::circuits::{add, any, choose, extend, less_unsigned, negate_if, sign, subtract};
use crate::gates::{Bit, Gates};

/// The product, of as many bits as the arguments have: shifted rows are added up.
pub(super) fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    // A row for each bit of the one of which less bits can be set.
    let rows = |bits: &[Bit]| bits.iter().filter(|&&bit| bit != Bit::FALSE).count();
    let (a, b) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
    let mut product = vec![Bit::FALSE; a.len()];
    for (shift, &factor) in b.iter().enumerate() {
        if factor == Bit::FALSE {
            continue;
        }
        let row: Vec<Bit> = a[..a.len() - shift]
            .iter()
            .map(|&bit| gates.and(bit, factor))
            .collect();
        let sum = add(gates, &product[shift..], &row);
        product[shift..].copy_from_slice(&sum);
    }
    product
}

/// Whether the exact product needs more bits.
///
/// With highest set bits `i` and `j`, the product is at least `2^(i+j)` and less than `2^(i+j+2)`. So either `i + j` is
/// at least the width, which two bits far enough up show, or one more bit than the width holds the exact product.
pub(super) fn multiply_overflows_unsigned(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let width = a.len();
    let is_large = any_pair_from(gates, a, b, width);
    let product = multiply(
        gates,
        &[a, &[Bit::FALSE]].concat(),
        &[b, &[Bit::FALSE]].concat(),
    );
    gates.or(is_large, product[width])
}

/// Whether the exact product of two numbers with signs needs more bits.
///
/// The same with the bits that differ from the sign: if the highest of them are at `i` and `j`, and `i + j` is at least
/// the width less one, then the product does not fit. Else its amount is at most `2^width`, and in one bit more than the
/// width its two highest bits differ if it does not fit.
pub(super) fn multiply_overflows_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let width = a.len();
    let (sign_a, sign_b) = (sign(a), sign(b));
    let amount_a: Vec<Bit> = a.iter().map(|&bit| gates.xor(bit, sign_a)).collect();
    let amount_b: Vec<Bit> = b.iter().map(|&bit| gates.xor(bit, sign_b)).collect();
    let is_large = any_pair_from(gates, &amount_a, &amount_b, width - 1);
    let product = multiply(gates, &[a, &[sign_a]].concat(), &[b, &[sign_b]].concat());
    let is_cut = gates.xor(product[width], product[width - 1]);
    gates.or(is_large, is_cut)
}

/// Whether bits `i` of `a` and `j` of `b` are set for some `i + j >= least`. No bit of `b` is above `least`.
fn any_pair_from(gates: &mut Gates, a: &[Bit], b: &[Bit], least: usize) -> Bit {
    let mut found = Bit::FALSE;
    // Some bit of `a` from `i` on is set.
    let mut from = Bit::FALSE;
    for i in (0..a.len()).rev() {
        from = gates.or(from, a[i]);
        if let Some(&partner) = least.checked_sub(i).and_then(|j| b.get(j)) {
            let both = gates.and(from, partner);
            found = gates.or(found, both);
        }
    }
    found
}

pub(super) struct Division {
    pub(super) quotient: Vec<Bit>,
    pub(super) remainder: Vec<Bit>,
}

/// Division as on paper: the divisor is taken away from the highest bits of the dividend where it can be. By zero it
/// always can, so that the quotient is all ones and the remainder the dividend.
pub(super) fn divide_unsigned(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Division {
    let width = a.len();
    let divisor = [b, &[Bit::FALSE]].concat();
    let mut quotient = vec![Bit::FALSE; width];
    let mut remainder = vec![Bit::FALSE; width];
    for index in (0..width).rev() {
        let shifted = [&[a[index]], &remainder[..]].concat();
        let is_part = !less_unsigned(gates, &shifted, &divisor);
        let difference = subtract(gates, &shifted, &divisor);
        quotient[index] = is_part;
        remainder = choose(gates, is_part, &difference[..width], &shifted[..width]);
    }
    Division {
        quotient,
        remainder,
    }
}

/// Division of the amounts, with the signs put back.
pub(super) fn divide_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Division {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let amount_a = negate_if(gates, sign_a, a);
    let amount_b = negate_if(gates, sign_b, b);
    let amounts = divide_unsigned(gates, &amount_a, &amount_b);
    let is_negative = gates.xor(sign_a, sign_b);
    Division {
        quotient: negate_if(gates, is_negative, &amounts.quotient),
        remainder: negate_if(gates, sign_a, &amounts.remainder),
    }
}

pub(super) fn shift_left(gates: &mut Gates, a: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let mirrored: Vec<Bit> = a.iter().rev().copied().collect();
    let mut shifted = shift_right(gates, &mirrored, amount, Bit::FALSE);
    shifted.reverse();
    shifted
}

/// One choice a bit of the amount; `fill` comes in from above.
pub(super) fn shift_right(gates: &mut Gates, a: &[Bit], amount: &[Bit], fill: Bit) -> Vec<Bit> {
    let width = a.len();
    let mut result = a.to_vec();
    for (index, &bit) in amount.iter().enumerate() {
        let distance = 1_usize
            .checked_shl(u32::try_from(index).expect("at most 128"))
            .filter(|&distance| distance < width);
        let Some(distance) = distance else {
            // A bit of the amount that shifts out everything, and so do all above it.
            let is_all = any(gates, &amount[index..]);
            let filled = vec![fill; width];
            return choose(gates, is_all, &filled, &result);
        };
        let moved = extend(
            &result[distance..],
            u32::try_from(width).expect("at most 128"),
            fill,
        );
        result = choose(gates, bit, &moved, &result);
    }
    result
}
