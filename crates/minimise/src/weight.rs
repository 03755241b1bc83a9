//! How far choices are from the simplest ones.
//!
//! The weight of a choice of a value is how far it is from zero, a positive number before the negative one of the same size; that of
//! an initial state its number. Other choices (who is woken, where memory lies) weigh nothing.

use raddle_ir::interpret::StepPart;
use raddle_ir::{Action, Program};

use crate::execution::Item;

/// How far the choices of an execution are from none.
pub(crate) fn weight(program: &Program, initial: usize, items: &[Item]) -> u128 {
    let parts = items.iter().flat_map(|it| &it.step.parts);
    let values = parts.filter_map(|it| value(program, it));
    let sum = values.fold(0_u128, |sum, value| sum.saturating_add(value.weight()));
    sum.saturating_add(initial as u128)
}

/// A value that was chosen, and the greatest that could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChosenValue {
    pub(crate) bits: u128,
    pub(crate) greatest: u128,
}

impl ChosenValue {
    /// 0 for zero, then 1, −1, 2, −2, …
    pub(crate) fn weight(self) -> u128 {
        let negative = self.greatest - self.bits;
        if self.bits == 0 {
            0
        } else if self.bits <= negative {
            (self.bits - 1).saturating_mul(2) + 1
        } else {
            negative.saturating_mul(2).saturating_add(2)
        }
    }
}

/// The value that was chosen on an edge that lets one be chosen.
pub(crate) fn value(program: &Program, part: &StepPart) -> Option<ChosenValue> {
    let Action::Havoc { target } = program.edge(part.function, part.edge).action else {
        return None;
    };
    let ty = program.functions[part.function].registers[target].ty;
    Some(ChosenValue {
        bits: part.choice?,
        greatest: ty.mask(program.model),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_weighs_least_then_one_then_minus_one() {
        let weights = [0, 1, 255, 2, 254, 127, 128].map(|bits| {
            let greatest = 255;
            ChosenValue { bits, greatest }.weight()
        });
        assert_eq!(weights, [0, 1, 2, 3, 4, 253, 256]);
    }
}
