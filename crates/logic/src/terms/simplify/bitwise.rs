//! Rules for the operations on single bits.

use crate::terms::{Operation, TermId, Terms, mask};

impl Terms {
    pub(super) fn simplify_not(&self, a: TermId) -> Option<TermId> {
        self.complement(a)
    }

    pub(super) fn simplify_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, 0) || self.are_complements(a, b) {
            return Some(self.constant(0, width));
        }
        if self.is_constant(b, mask(width)) || a == b {
            return Some(a);
        }
        self.absorb(Operation::And, Operation::Or, a, b)
            .or_else(|| self.absorb(Operation::And, Operation::Or, b, a))
            .or_else(|| self.merge_constants(Operation::And, a, b))
    }

    pub(super) fn simplify_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, mask(width)) || self.are_complements(a, b) {
            return Some(self.constant(mask(width), width));
        }
        if self.is_constant(b, 0) || a == b {
            return Some(a);
        }
        if let Some(common) = self.rejoined(a, b) {
            return Some(common);
        }
        self.absorb(Operation::Or, Operation::And, a, b)
            .or_else(|| self.absorb(Operation::Or, Operation::And, b, a))
            .or_else(|| self.merge_constants(Operation::Or, a, b))
    }

    /// `(x & y) | (x & !y)` is `x`: two ways that part and meet.
    fn rejoined(&self, one: TermId, other: TermId) -> Option<TermId> {
        let [left, right, _] = self.arguments_of(one, Operation::And)?;
        let [its_left, its_right, _] = self.arguments_of(other, Operation::And)?;
        [(left, right), (right, left)]
            .into_iter()
            .find(|(common, parted)| {
                *common == its_left && self.are_complements(*parted, its_right)
                    || *common == its_right && self.are_complements(*parted, its_left)
            })
            .map(|(common, _)| common)
    }

    /// `a & (a & x)` is the right side, `a & (a | x)` is `a`, `a & (!a & x)` is 0; and the same with `|` and `&` exchanged.
    fn absorb(
        &mut self,
        operation: Operation,
        dual: Operation,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        if let Some([x, y, _]) = self.arguments_of(b, operation) {
            if x == a || y == a {
                return Some(b);
            }
            if self.are_complements(x, a) || self.are_complements(y, a) {
                let width = self.width(a);
                let zero = operation == Operation::And;
                return Some(self.constant(if zero { 0 } else { u128::MAX }, width));
            }
        }
        if let Some([x, y, _]) = self.arguments_of(b, dual) {
            if x == a || y == a {
                return Some(a);
            }
            // `a & (!a | x)` is `a & x`.
            if self.are_complements(x, a) {
                return Some(self.apply(operation, self.width(a), &[a, y]));
            }
            if self.are_complements(y, a) {
                return Some(self.apply(operation, self.width(a), &[a, x]));
            }
        }
        None
    }

    /// `(x op c) op d` is `x op (c op d)`, for an associative operation.
    pub(super) fn merge_constants(
        &mut self,
        operation: Operation,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        self.constant_value(b)?;
        let [x, c, _] = self.arguments_of(a, operation)?;
        self.constant_value(c)?;
        let width = self.width(a);
        let merged = self.apply(operation, width, &[c, b]);
        Some(self.apply(operation, width, &[x, merged]))
    }

    pub(super) fn simplify_xor(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if self.is_constant(b, 0) {
            return Some(a);
        }
        if self.is_constant(b, mask(width)) {
            return Some(self.not(a));
        }
        if a == b {
            return Some(self.constant(0, width));
        }
        if self.are_complements(a, b) {
            return Some(self.constant(mask(width), width));
        }
        self.merge_constants(Operation::Xor, a, b)
    }
}
