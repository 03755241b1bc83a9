//! What the tests of this crate share.
#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod integers;
pub(crate) mod reference;
pub(crate) mod sample;

/// Numbers that look random and are the same on every run (splitmix64).
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).expect("a small number"))
            .expect("a small number")
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
