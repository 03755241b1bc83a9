//! What the tests of this crate share.
#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod integers;
pub(crate) mod reference;
pub(crate) mod sample;

use raddle_logic::{TermId, Terms};

/// The value of the first case whose condition is true, or `otherwise` if none is.
pub(crate) fn first_case(
    terms: &mut Terms,
    cases: &[(TermId, TermId)],
    otherwise: TermId,
) -> TermId {
    cases
        .iter()
        .rev()
        .fold(otherwise, |rest, &(condition, value)| {
            terms.if_then_else(condition, value, rest)
        })
}

/// Numbers, bits of them, and terms.
pub(crate) struct Random(raddle_base::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(raddle_base::Random::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// Bits of which the borders of the type come often.
    pub(crate) fn bits(&mut self, width: u32) -> u128 {
        let mask = raddle_logic::terms::mask(width);
        let bits = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => 1 << self.below(usize::try_from(width).expect("a small number")),
            6 => self.wide() >> self.below(128),
            _ => self.wide(),
        };
        bits & mask
    }
}
