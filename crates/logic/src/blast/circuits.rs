//! Circuits for what takes a few gates a bit. All bits are given lowest first.

use crate::gates::{Bit, Gates};

pub(super) fn constant(bits: u128, width: u32) -> Vec<Bit> {
    (0..width)
        .map(|index| Bit::constant(bits >> index & 1 == 1))
        .collect()
}

/// The highest bit.
pub(super) fn sign(a: &[Bit]) -> Bit {
    *a.last().expect("a term has at least one bit")
}

pub(super) fn pairwise(a: &[Bit], b: &[Bit], mut gate: impl FnMut(Bit, Bit) -> Bit) -> Vec<Bit> {
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

pub(super) fn negated(a: &[Bit]) -> Vec<Bit> {
    a.iter().map(|&bit| !bit).collect()
}

/// As many bits as asked for, with `fill` above those that are there.
pub(super) fn extend(a: &[Bit], width: u32, fill: Bit) -> Vec<Bit> {
    let width = usize::try_from(width).expect("32 bits fit");
    let mut bits = a.to_vec();
    bits.resize(width, fill);
    bits
}

pub(super) fn choose(gates: &mut Gates, condition: Bit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    pairwise(a, b, |a, b| gates.choice(condition, a, b))
}

/// The sum of two numbers and a carry; of as many bits as `a` has.
pub(super) fn add_with_carry(gates: &mut Gates, a: &[Bit], b: &[Bit], carry: Bit) -> Vec<Bit> {
    let mut carry = carry;
    let last = a.len() - 1;
    let mut sum = Vec::with_capacity(a.len());
    for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
        let half = gates.xor(a, b);
        sum.push(gates.xor(half, carry));
        if index < last {
            carry = gates.majority(a, b, carry);
        }
    }
    sum
}

pub(super) fn add(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add_with_carry(gates, a, b, Bit::FALSE)
}

pub(super) fn subtract(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add_with_carry(gates, a, &negated(b), Bit::TRUE)
}

pub(super) fn negate(gates: &mut Gates, a: &[Bit]) -> Vec<Bit> {
    let zero = vec![Bit::FALSE; a.len()];
    add_with_carry(gates, &zero, &negated(a), Bit::TRUE)
}

pub(super) fn negate_if(gates: &mut Gates, condition: Bit, a: &[Bit]) -> Vec<Bit> {
    let flipped: Vec<Bit> = a.iter().map(|&bit| gates.xor(bit, condition)).collect();
    let zero = vec![Bit::FALSE; a.len()];
    add_with_carry(gates, &zero, &flipped, condition)
}

/// The conjunction, as a balanced tree.
pub(super) fn all(gates: &mut Gates, mut bits: Vec<Bit>) -> Bit {
    while bits.len() > 1 {
        bits = bits
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => gates.and(a, b),
                _ => pair[0],
            })
            .collect();
    }
    bits.pop().unwrap_or(Bit::TRUE)
}

pub(super) fn any(gates: &mut Gates, bits: &[Bit]) -> Bit {
    !all(gates, negated(bits))
}

pub(super) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let same = pairwise(a, b, |a, b| gates.equal(a, b));
    all(gates, same)
}

/// The last borrow of `a - b`.
pub(super) fn less_unsigned(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    a.iter()
        .zip(b)
        .fold(Bit::FALSE, |less, (&a, &b)| gates.majority(!a, b, less))
}

/// As without signs, but a set highest bit makes a number smaller.
pub(super) fn less_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let last = a.len() - 1;
    let below = less_unsigned(gates, &a[..last], &b[..last]);
    gates.majority(a[last], !b[last], below)
}
