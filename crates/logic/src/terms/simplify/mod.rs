//! Rules that make terms smaller as they are built.
//!
//! Every rule keeps the value under all assignments; tests compare with terms that were not simplified.
//! A rule looks a bounded number of levels down, so that building is fast and needs no stack on deep terms; those that
//! could go on and on are loops. What gates make smaller anyway ([`crate::gates`]) has no rule here: rules are for what
//! is expensive as gates, for conditions that become constant, and for bytes that are cut apart and put together again.
//!
//! All arguments constant is not their matter, and the arguments of commutative operations come ordered, constants last.

mod arithmetic;
mod bitwise;
mod compare;
mod structure;
mod values;

use super::{Operation, Shape, TermId, Terms, mask};

impl Terms {
    /// A simpler term with the same value.
    pub(super) fn simplify(
        &mut self,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> Option<TermId> {
        match (operation, arguments) {
            (Operation::Not, &[a]) => self.simplify_not(a),
            (Operation::Negate, &[a]) => self.simplify_negate(a),
            (Operation::And, &[a, b]) => self.simplify_and(a, b),
            (Operation::Or, &[a, b]) => self.simplify_or(a, b),
            (Operation::Xor, &[a, b]) => self.simplify_xor(a, b),
            (Operation::Add, &[a, b]) => self.simplify_add(a, b),
            (Operation::Subtract, &[a, b]) => self.simplify_subtract(a, b),
            (Operation::Multiply, &[a, b]) => self.simplify_multiply(a, b),
            (Operation::DivideUnsigned, &[a, b]) => self.simplify_divide_unsigned(a, b),
            (Operation::RemainderUnsigned, &[a, b]) => self.simplify_remainder_unsigned(a, b),
            (Operation::DivideSigned, &[a, b]) => self.simplify_divide_signed(a, b),
            (Operation::RemainderSigned, &[a, b]) => self.simplify_remainder_signed(a, b),
            (Operation::ShiftLeft, &[a, b]) => self.simplify_shift_left(a, b),
            (Operation::ShiftRightLogical, &[a, b]) => self.simplify_shift_right_logical(a, b),
            (Operation::ShiftRightArithmetic, &[a, b]) => {
                self.simplify_shift_right_arithmetic(a, b)
            }
            (Operation::Equal, &[a, b]) => self.simplify_equal(a, b),
            (Operation::LessUnsigned, &[a, b]) => self.simplify_less_unsigned(a, b),
            (Operation::LessSigned, &[a, b]) => self.simplify_less_signed(a, b),
            (Operation::LessEqualUnsigned, &[a, b]) => {
                let greater = self.less_unsigned(b, a);
                Some(self.not(greater))
            }
            (Operation::LessEqualSigned, &[a, b]) => {
                let greater = self.less_signed(b, a);
                Some(self.not(greater))
            }
            (Operation::MultiplyOverflowsUnsigned, &[a, b]) => {
                self.simplify_multiply_overflows(a, b, true)
            }
            (Operation::MultiplyOverflowsSigned, &[a, b]) => {
                self.simplify_multiply_overflows(a, b, false)
            }
            (Operation::IfThenElse, &[condition, then, otherwise]) => {
                self.simplify_if_then_else(condition, then, otherwise)
            }
            (Operation::Concatenate, &[high, low]) => self.simplify_concatenate(high, low),
            (Operation::Extract { low }, &[a]) => self.simplify_extract(a, u32::from(low), width),
            (Operation::ZeroExtend, &[a]) => self.simplify_zero_extend(a, width),
            (Operation::SignExtend, &[a]) => self.simplify_sign_extend(a, width),
            (_, _) => unreachable!("the number of arguments was checked"),
        }
    }

    /// The arguments, if this operation stands at the top.
    fn arguments_of(&self, term: TermId, wanted: Operation) -> Option<[TermId; 3]> {
        match self.nodes[term].shape {
            Shape::Apply(operation, arguments) if operation == wanted => Some(arguments),
            Shape::Apply(..) | Shape::Constant(_) | Shape::Variable(_) => None,
        }
    }

    /// What `term` is the complement of, if it is built as one.
    fn complement(&self, term: TermId) -> Option<TermId> {
        Some(self.arguments_of(term, Operation::Not)?[0])
    }

    fn are_complements(&self, left: TermId, right: TermId) -> bool {
        self.complement(left) == Some(right) || self.complement(right) == Some(left)
    }

    fn is_constant(&self, term: TermId, bits: u128) -> bool {
        self.constant_value(term) == Some(bits & mask(self.width(term)))
    }

    /// The logarithm of a constant that is a power of two.
    fn power_of_two(&self, term: TermId) -> Option<u32> {
        self.constant_value(term)
            .filter(|bits| bits.is_power_of_two())
            .map(u128::trailing_zeros)
    }

    /// The amount of a shift by a constant; the width if it is more.
    fn constant_amount(&self, amount: TermId) -> Option<u32> {
        let width = self.width(amount);
        let bits = self.constant_value(amount)?;
        Some(u32::try_from(bits).map_or(width, |amount| amount.min(width)))
    }
}
