//! Rules for choices and for what moves bits without changing them.

use crate::terms::{Operation, Term, TermId, Terms};

impl Terms {
    pub(super) fn simplify_if_then_else(
        &mut self,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Option<TermId> {
        if let Some(value) = self.constant_value(condition) {
            return Some(if value == 1 { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        if let Some(opposite) = self.complement(condition) {
            return Some(self.if_then_else(opposite, otherwise, then));
        }
        if self.width(then) == 1
            && let Some(simpler) = self.simplify_truth_choice(condition, then, otherwise)
        {
            return Some(simpler);
        }
        // The same question again has the same answer.
        if let Some([inner, chosen, _]) = self.arguments_of(then, Operation::IfThenElse)
            && inner == condition
        {
            return Some(self.if_then_else(condition, chosen, otherwise));
        }
        let [inner, left, right] = self.arguments_of(otherwise, Operation::IfThenElse)?;
        if inner == condition {
            return Some(self.if_then_else(condition, then, right));
        }
        if left == then {
            let either = self.or(condition, inner);
            return Some(self.if_then_else(either, then, right));
        }
        if right == then {
            let only = self.not(condition);
            let both = self.and(only, inner);
            return Some(self.if_then_else(both, left, then));
        }
        None
    }

    /// A choice between truth values of which one is known.
    fn simplify_truth_choice(
        &mut self,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Option<TermId> {
        if self.is_true(then) || then == condition {
            return Some(self.or(condition, otherwise));
        }
        if self.is_false(otherwise) || otherwise == condition {
            return Some(self.and(condition, then));
        }
        if self.are_complements(then, otherwise) {
            let is_same = self.xor(condition, then);
            return Some(self.not(is_same));
        }
        if self.is_false(then) || self.are_complements(then, condition) {
            let opposite = self.not(condition);
            return Some(self.and(opposite, otherwise));
        }
        if self.is_true(otherwise) || self.are_complements(otherwise, condition) {
            let opposite = self.not(condition);
            return Some(self.or(opposite, then));
        }
        None
    }

    pub(super) fn simplify_concatenate(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.width(high) + self.width(low);
        if self.is_constant(high, 0) {
            return Some(self.zero_extend(low, width));
        }
        // Neighbouring parts of one term.
        if let Some(joined) = self.join_neighbours(high, low) {
            return Some(joined);
        }
        // The same one level down, for bytes that are put together from the lowest or from the highest on.
        if let Some([rest, middle, _]) = self.arguments_of(high, Operation::Concatenate)
            && let Some(joined) = self.join_neighbours(middle, low)
        {
            return Some(self.concatenate(rest, joined));
        }
        if let Some([middle, rest, _]) = self.arguments_of(low, Operation::Concatenate)
            && let Some(joined) = self.join_neighbours(high, middle)
        {
            return Some(self.concatenate(joined, rest));
        }
        if let Some([inner, ..]) = self.arguments_of(high, Operation::ZeroExtend) {
            let joined = self.concatenate(inner, low);
            return Some(self.zero_extend(joined, width));
        }
        None
    }

    /// The term of which `high` and `low` are neighbouring parts, or both of them as one constant.
    fn join_neighbours(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (high_width, low_width) = (self.width(high), self.width(low));
        if let (Some(high), Some(low)) = (self.constant_value(high), self.constant_value(low)) {
            return Some(self.constant(high << low_width | low, high_width + low_width));
        }
        let (of, high_at) = self.as_part(high);
        let (low_of, low_at) = self.as_part(low);
        (of == low_of && high_at == low_at + low_width)
            .then(|| self.extract(of, low_at, high_width + low_width))
    }

    /// The term that this one is a part of, and where in it.
    fn as_part(&self, term: TermId) -> (TermId, u32) {
        match self.term(term) {
            Term::Apply(Operation::Extract { low }, &[of]) => (of, u32::from(low)),
            Term::Apply(..) | Term::Constant(_) | Term::Variable(_) => (term, 0),
        }
    }

    pub(super) fn simplify_extract(&mut self, a: TermId, low: u32, width: u32) -> Option<TermId> {
        let whole = self.width(a);
        if width == whole {
            return Some(a);
        }
        let Term::Apply(operation, arguments) = self.term(a) else {
            return None;
        };
        let (x, y) = (arguments[0], *arguments.get(1).unwrap_or(&arguments[0]));
        match operation {
            Operation::Extract { low: inner } => {
                Some(self.extract(x, low + u32::from(inner), width))
            }
            Operation::Concatenate => {
                let border = self.width(y);
                if low + width <= border {
                    return Some(self.extract(y, low, width));
                }
                if low >= border {
                    return Some(self.extract(x, low - border, width));
                }
                let below = self.extract(y, low, border - low);
                let above = self.extract(x, 0, low + width - border);
                Some(self.concatenate(above, below))
            }
            Operation::ZeroExtend | Operation::SignExtend => {
                let border = self.width(x);
                if low + width <= border {
                    return Some(self.extract(x, low, width));
                }
                if low < border {
                    let kept = self.extract(x, low, border - low);
                    return Some(self.apply(operation, width, &[kept]));
                }
                if operation == Operation::ZeroExtend {
                    return Some(self.constant(0, width));
                }
                let sign = self.extract(x, border - 1, 1);
                Some(self.sign_extend(sign, width))
            }
            // Bits of a choice between constants depend on the condition alone, or on nothing.
            Operation::IfThenElse
                if self.constant_value(y).is_some()
                    && self.constant_value(arguments[2]).is_some() =>
            {
                let otherwise = arguments[2];
                let then = self.extract(y, low, width);
                let otherwise = self.extract(otherwise, low, width);
                Some(self.if_then_else(x, then, otherwise))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_zero_extend(&mut self, a: TermId, width: u32) -> Option<TermId> {
        if self.width(a) == width {
            return Some(a);
        }
        let [inner, ..] = self.arguments_of(a, Operation::ZeroExtend)?;
        Some(self.zero_extend(inner, width))
    }

    pub(super) fn simplify_sign_extend(&mut self, a: TermId, width: u32) -> Option<TermId> {
        if self.width(a) == width {
            return Some(a);
        }
        if let Some([inner, ..]) = self.arguments_of(a, Operation::SignExtend) {
            return Some(self.sign_extend(inner, width));
        }
        // What is extended by at least one zero has no sign left.
        let [inner, ..] = self.arguments_of(a, Operation::ZeroExtend)?;
        (self.width(inner) < self.width(a)).then(|| self.zero_extend(inner, width))
    }
}
