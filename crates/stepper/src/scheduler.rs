//! Who decides what an execution does where it could do several things.

use raddle_base::Random;
use raddle_ir::program::{EdgeId, FunctionId};

/// Decides what an execution does where it could do several things.
pub trait Scheduler {
    /// Which of so many possibilities, two or more, is tried first. If it is not possible now, those after it are tried,
    /// then those before it.
    fn choose(&mut self, count: usize) -> usize;

    /// Some value, at most the greatest.
    fn value(&mut self, greatest: u128) -> u128;

    /// Some value for a havoc.
    fn value_at(&mut self, _place: (FunctionId, EdgeId), greatest: u128) -> u128 {
        self.value(greatest)
    }
}

/// The first thing that is possible, and zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstPossible;

impl Scheduler for FirstPossible {
    fn choose(&mut self, _: usize) -> usize {
        0
    }

    fn value(&mut self, _: u128) -> u128 {
        0
    }
}

/// Choices that look random and follow from a seed.
#[derive(Clone, Debug)]
pub struct Seeded {
    random: Random,
}

impl Seeded {
    pub fn new(seed: u64) -> Self {
        let random = Random::new(seed);
        Self { random }
    }
}

impl Scheduler for Seeded {
    fn choose(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn value(&mut self, greatest: u128) -> u128 {
        let mut number = || u128::from(self.random.next_number());
        let wide = number() << 64 | number();
        match greatest.checked_add(1) {
            Some(count) => wide % count,
            None => wide,
        }
    }
}
