//! Rules for arithmetic and shifts.

use crate::terms::{Operation, TermId, Terms, mask};

impl Terms {
    pub(super) fn simplify_negate(&mut self, a: TermId) -> Option<TermId> {
        if self.width(a) == 1 {
            return Some(a);
        }
        if let Some([x, ..]) = self.arguments_of(a, Operation::Negate) {
            return Some(x);
        }
        let [x, y, _] = self.arguments_of(a, Operation::Subtract)?;
        Some(self.subtract(y, x))
    }

    pub(super) fn simplify_add(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_constant(b, 0) {
            return Some(a);
        }
        if let Some([x, ..]) = self.arguments_of(b, Operation::Negate) {
            return Some(self.subtract(a, x));
        }
        if let Some([x, ..]) = self.arguments_of(a, Operation::Negate) {
            return Some(self.subtract(b, x));
        }
        // `(x - b) + b`
        for (sum, other) in [(a, b), (b, a)] {
            if let Some([x, y, _]) = self.arguments_of(sum, Operation::Subtract)
                && y == other
            {
                return Some(x);
            }
        }
        self.merge_constants(Operation::Add, a, b)
    }

    pub(super) fn simplify_subtract(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if a == b {
            return Some(self.constant(0, width));
        }
        if self.is_constant(a, 0) {
            return Some(self.negate(b));
        }
        if let Some(bits) = self.constant_value(b) {
            let negated = self.constant(bits.wrapping_neg(), width);
            return Some(self.add(a, negated));
        }
        // `(x + b) - b`
        if let Some([x, y, _]) = self.arguments_of(a, Operation::Add) {
            if y == b {
                return Some(x);
            }
            if x == b {
                return Some(y);
            }
        }
        None
    }

    pub(super) fn simplify_multiply(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_constant(b, 0) {
            return Some(b);
        }
        if self.is_constant(b, 1) {
            return Some(a);
        }
        if let Some(amount) = self.power_of_two(b) {
            let amount = self.constant(u128::from(amount), self.width(a));
            return Some(self.shift_left(a, amount));
        }
        self.merge_constants(Operation::Multiply, a, b)
    }

    pub(super) fn simplify_multiply_overflows(
        &mut self,
        _a: TermId,
        b: TermId,
        is_unsigned: bool,
    ) -> Option<TermId> {
        // In one bit, 1 stands for minus one if there is a sign, and the square of that overflows.
        let is_one = self.is_constant(b, 1) && (is_unsigned || self.width(b) > 1);
        (self.is_constant(b, 0) || is_one).then(|| self.truth(false))
    }

    pub(super) fn simplify_divide_unsigned(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, 0) {
            return Some(self.constant(mask(width), width));
        }
        let amount = self.power_of_two(b)?;
        let amount = self.constant(u128::from(amount), width);
        Some(self.shift_right_logical(a, amount))
    }

    pub(super) fn simplify_remainder_unsigned(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, 0) {
            return Some(a);
        }
        match self.power_of_two(b)? {
            0 => Some(self.constant(0, width)),
            kept => {
                let low = self.extract(a, 0, kept);
                Some(self.zero_extend(low, width))
            }
        }
    }

    pub(super) fn simplify_divide_signed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let amount = self.positive_power_of_two(b)?;
        if amount == 0 {
            return Some(a);
        }
        // Toward zero: negative numbers are rounded up, by adding what the shift would drop at most.
        let width = self.width(a);
        let sign = self.extract(a, width - 1, 1);
        let ones = self.sign_extend(sign, amount);
        let correction = self.zero_extend(ones, width);
        let corrected = self.add(a, correction);
        let amount = self.constant(u128::from(amount), width);
        Some(self.shift_right_arithmetic(corrected, amount))
    }

    pub(super) fn simplify_remainder_signed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, 0) {
            return Some(a);
        }
        let amount = self.positive_power_of_two(b)?;
        let amount = self.constant(u128::from(amount), width);
        let quotient = self.divide_signed(a, b);
        let multiple = self.shift_left(quotient, amount);
        Some(self.subtract(a, multiple))
    }

    /// The logarithm of a constant that is a power of two, read as signed.
    fn positive_power_of_two(&self, b: TermId) -> Option<u32> {
        self.power_of_two(b)
            .filter(|&amount| amount + 1 < self.width(b))
    }

    pub(super) fn simplify_shift_left(&mut self, a: TermId, amount: TermId) -> Option<TermId> {
        let width = self.width(a);
        let amount = self.constant_amount(amount)?;
        if amount == 0 {
            return Some(a);
        }
        if amount == width {
            return Some(self.constant(0, width));
        }
        let kept = self.extract(a, 0, width - amount);
        let zeros = self.constant(0, amount);
        Some(self.concatenate(kept, zeros))
    }

    pub(super) fn simplify_shift_right_logical(
        &mut self,
        a: TermId,
        amount: TermId,
    ) -> Option<TermId> {
        let width = self.width(a);
        let amount = self.constant_amount(amount)?;
        if amount == width {
            return Some(self.constant(0, width));
        }
        let kept = self.extract(a, amount, width - amount);
        Some(self.zero_extend(kept, width))
    }

    pub(super) fn simplify_shift_right_arithmetic(
        &mut self,
        a: TermId,
        amount: TermId,
    ) -> Option<TermId> {
        let width = self.width(a);
        let amount = self.constant_amount(amount)?.min(width - 1);
        let kept = self.extract(a, amount, width - amount);
        Some(self.sign_extend(kept, width))
    }
}
