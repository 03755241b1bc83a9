//! When arithmetic leaves its type, and how far shifts go: what programs have to be asked besides the result.
//!
//! The terms for results wrap around and are defined everywhere; engines put these conditions beside them.

use super::{Operation, TermId, Terms, mask};

impl Terms {
    fn least_signed(&mut self, width: u32) -> TermId {
        self.constant(1 << (width - 1), width)
    }

    fn sign(&mut self, term: TermId) -> TermId {
        self.extract(term, self.width(term) - 1, 1)
    }

    /// `left + right` does not fit: both have one sign and the sum has the other.
    pub fn add_overflows_signed(&mut self, left: TermId, right: TermId) -> TermId {
        let sum = self.add(left, right);
        let (a, b, result) = (self.sign(left), self.sign(right), self.sign(sum));
        let first = self.xor(a, result);
        let second = self.xor(b, result);
        self.and(first, second)
    }

    /// `left - right` does not fit: the signs differ and the difference has not that of `left`.
    pub fn subtract_overflows_signed(&mut self, left: TermId, right: TermId) -> TermId {
        let difference = self.subtract(left, right);
        let (a, b, result) = (self.sign(left), self.sign(right), self.sign(difference));
        let differ = self.xor(a, b);
        let turned = self.xor(a, result);
        self.and(differ, turned)
    }

    pub fn multiply_overflows_signed(&mut self, left: TermId, right: TermId) -> TermId {
        self.apply(Operation::MultiplyOverflowsSigned, 1, &[left, right])
    }

    pub fn multiply_overflows_unsigned(&mut self, left: TermId, right: TermId) -> TermId {
        self.apply(Operation::MultiplyOverflowsUnsigned, 1, &[left, right])
    }

    /// `-term` does not fit.
    pub fn negate_overflows_signed(&mut self, term: TermId) -> TermId {
        let least = self.least_signed(self.width(term));
        self.equal(term, least)
    }

    /// `left / right` does not fit, which C says of the remainder too.
    pub fn divide_overflows_signed(&mut self, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        let is_least = self.negate_overflows_signed(left);
        let is_minus_one = self.equals_constant(right, mask(width));
        self.and(is_least, is_minus_one)
    }

    /// A signed `left << amount` is of a negative number, or loses bits, or changes the sign. The amount is less than the width.
    pub fn shift_left_overflows_signed(&mut self, left: TermId, amount: TermId) -> TermId {
        let shifted = self.shift_left(left, amount);
        let back = self.shift_right_arithmetic(shifted, amount);
        let is_changed = self.differ(back, left);
        let is_negative = self.sign(left);
        self.or(is_negative, is_changed)
    }

    /// Whether an amount, of any width, is one of `0..width`: what C demands of shifts.
    pub fn is_shift_amount(&mut self, amount: TermId, is_signed: bool, width: u32) -> TermId {
        let amount_width = self.width(amount);
        // Where the amount has too few bits for `width`, only its sign can be wrong.
        let is_small = if u128::from(width) <= mask(amount_width) {
            let bound = self.constant(u128::from(width), amount_width);
            self.less_unsigned(amount, bound)
        } else {
            self.truth(true)
        };
        if !is_signed {
            return is_small;
        }
        let is_negative = self.sign(amount);
        let is_natural = self.not(is_negative);
        self.and(is_small, is_natural)
    }

    /// An amount in `0..width`, of any width, as the shifts take it. Other amounts become anything.
    pub fn shift_amount(&mut self, amount: TermId, width: u32) -> TermId {
        self.resize(amount, width, false)
    }

    /// The amount, read as unsigned, modulo `width`: that of shifts which wrap.
    pub fn shift_amount_modulo(&mut self, amount: TermId, width: u32) -> TermId {
        let enough = self.width(amount).max(8);
        let wide = self.zero_extend(amount, enough);
        let modulus = self.constant(u128::from(width), enough);
        let rest = self.remainder_unsigned(wide, modulus);
        self.shift_amount(rest, width)
    }

    /// The smaller of two numbers.
    pub fn minimum(&mut self, left: TermId, right: TermId, is_signed: bool) -> TermId {
        let is_less = self.less(left, right, is_signed);
        self.if_then_else(is_less, left, right)
    }

    pub fn maximum(&mut self, left: TermId, right: TermId, is_signed: bool) -> TermId {
        let is_less = self.less(left, right, is_signed);
        self.if_then_else(is_less, right, left)
    }

    pub fn less(&mut self, left: TermId, right: TermId, is_signed: bool) -> TermId {
        if is_signed {
            self.less_signed(left, right)
        } else {
            self.less_unsigned(left, right)
        }
    }

    pub fn less_equal(&mut self, left: TermId, right: TermId, is_signed: bool) -> TermId {
        if is_signed {
            self.less_equal_signed(left, right)
        } else {
            self.less_equal_unsigned(left, right)
        }
    }
}
