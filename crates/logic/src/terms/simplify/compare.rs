//! Rules for comparisons.

use crate::terms::{Operation, Term, TermId, Terms, mask};

impl Terms {
    pub(super) fn simplify_equal(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.truth(true));
        }
        if self.are_complements(a, b) {
            return Some(self.truth(false));
        }
        if let Some(bits) = self.constant_value(b) {
            return self.simplify_equal_constant(a, bits);
        }
        let (Term::Apply(left, _), Term::Apply(right, _)) = (self.term(a), self.term(b)) else {
            return None;
        };
        if left != right {
            return None;
        }
        let (&x, &y) = (self.arguments(a).first()?, self.arguments(b).first()?);
        match left {
            Operation::Not | Operation::Negate => Some(self.equal(x, y)),
            Operation::ZeroExtend | Operation::SignExtend if self.width(x) == self.width(y) => {
                Some(self.equal(x, y))
            }
            _ => None,
        }
    }

    /// Whether `term` is a constant. Peels off what can be undone on the constant; a loop, because terms can be deep.
    fn simplify_equal_constant(&mut self, term: TermId, bits: u128) -> Option<TermId> {
        let (mut peeled, mut wanted) = (term, bits);
        loop {
            let width = self.width(peeled);
            wanted &= mask(width);
            if let Some(value) = self.constant_value(peeled) {
                return Some(self.truth(value == wanted));
            }
            if width == 1 {
                return Some(if wanted == 1 {
                    peeled
                } else {
                    self.not(peeled)
                });
            }
            let Term::Apply(operation, arguments) = self.term(peeled) else {
                break;
            };
            let (x, y) = (arguments[0], *arguments.get(1).unwrap_or(&arguments[0]));
            match operation {
                Operation::Not => (peeled, wanted) = (x, !wanted),
                Operation::Negate => (peeled, wanted) = (x, wanted.wrapping_neg()),
                Operation::Add | Operation::Xor => {
                    let Some(constant) = self.constant_value(y) else {
                        break;
                    };
                    let undone = if operation == Operation::Add {
                        wanted.wrapping_sub(constant)
                    } else {
                        wanted ^ constant
                    };
                    (peeled, wanted) = (x, undone);
                }
                Operation::ZeroExtend if wanted > mask(self.width(x)) => {
                    return Some(self.truth(false));
                }
                Operation::ZeroExtend => peeled = x,
                Operation::SignExtend => {
                    let inner = self.width(x);
                    let sign = wanted >> (inner - 1) & 1;
                    let above = if sign == 1 { mask(width) } else { 0 } & !mask(inner);
                    if wanted & !mask(inner) != above {
                        return Some(self.truth(false));
                    }
                    peeled = x;
                }
                Operation::Concatenate => {
                    // At most 128 levels deep, because each has a bit at least.
                    let low_width = self.width(y);
                    let high = self.equals_constant(x, wanted >> low_width);
                    let low = self.equals_constant(y, wanted);
                    return Some(self.and(high, low));
                }
                Operation::IfThenElse => {
                    let (condition, then, otherwise) = (x, y, arguments[2]);
                    let (Some(then), Some(otherwise)) =
                        (self.constant_value(then), self.constant_value(otherwise))
                    else {
                        break;
                    };
                    return Some(match (then == wanted, otherwise == wanted) {
                        (true, true) => self.truth(true),
                        (true, false) => condition,
                        (false, true) => self.not(condition),
                        (false, false) => self.truth(false),
                    });
                }
                _ => break,
            }
        }
        if peeled == term {
            return None;
        }
        let width = self.width(peeled);
        let constant = self.constant(wanted, width);
        // Nothing more to peel off: what is left is in its simplest form.
        Some(self.intern_valued(Operation::Equal, 1, &[peeled, constant]))
    }

    pub(super) fn simplify_less_unsigned(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let most = mask(self.width(a));
        if a == b || self.is_constant(b, 0) || self.is_constant(a, most) {
            return Some(self.truth(false));
        }
        if self.is_constant(a, 0) {
            return Some(self.differ(b, a));
        }
        if self.is_constant(b, most) {
            return Some(self.differ(a, b));
        }
        if self.is_constant(b, 1) {
            return Some(self.equals_constant(a, 0));
        }
        self.simplify_less_extended(a, b, Operation::LessUnsigned)
    }

    pub(super) fn simplify_less_signed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let least = 1 << (self.width(a) - 1);
        let most = least - 1;
        if a == b || self.is_constant(b, least) || self.is_constant(a, most) {
            return Some(self.truth(false));
        }
        if self.is_constant(a, least) {
            return Some(self.differ(b, a));
        }
        if self.is_constant(b, most) {
            return Some(self.differ(a, b));
        }
        self.simplify_less_extended(a, b, Operation::LessSigned)
    }

    /// Numbers that were extended in the same way compare as they did before.
    fn simplify_less_extended(
        &mut self,
        a: TermId,
        b: TermId,
        operation: Operation,
    ) -> Option<TermId> {
        if let (Some([x, ..]), Some([y, ..])) = (
            self.arguments_of(a, Operation::ZeroExtend),
            self.arguments_of(b, Operation::ZeroExtend),
        ) && self.width(x) == self.width(y)
        {
            return Some(self.less_unsigned(x, y));
        }
        let [x, ..] = self.arguments_of(a, Operation::SignExtend)?;
        let [y, ..] = self.arguments_of(b, Operation::SignExtend)?;
        (self.width(x) == self.width(y)).then(|| self.apply(operation, 1, &[x, y]))
    }
}
