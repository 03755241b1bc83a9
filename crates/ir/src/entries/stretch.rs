//! Stretches of entries, and what can be said of all entries in one.

use std::sync::{Arc, OnceLock};

/// Between which numbers those lie that an entry holds, or several together do, for each of two kinds.
pub type Held = [Span; 2];

/// All numbers from the least to the greatest; none if the least is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    least: u64,
    greatest: u64,
}

impl Span {
    pub const NOTHING: Self = Self {
        least: u64::MAX,
        greatest: 0,
    };
    pub const EVERYTHING: Self = Self {
        least: 0,
        greatest: u64::MAX,
    };

    pub fn contains(self, number: u64) -> bool {
        (self.least..=self.greatest).contains(&number)
    }

    fn with(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}

impl FromIterator<u64> for Span {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let one = |number| Self {
            least: number,
            greatest: number,
        };
        let numbers = numbers.into_iter();
        numbers.fold(Self::NOTHING, |span, number| span.with(one(number)))
    }
}

/// What can be said of entries one by one and of several together.
pub(super) trait Summary: Copy {
    const NOTHING: Self;
    fn with(self, other: Self) -> Self;

    fn of_all(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::NOTHING, Self::with)
    }
}

/// Marks, each a bit.
impl Summary for u8 {
    const NOTHING: Self = 0;

    fn with(self, other: Self) -> Self {
        self | other
    }
}

impl Summary for Held {
    const NOTHING: Self = [Span::NOTHING; 2];

    fn with(self, other: Self) -> Self {
        [self[0].with(other[0]), self[1].with(other[1])]
    }
}

/// Some of the entries, or of the blocks, in order.
pub struct Stretch<T> {
    pub(super) items: Vec<T>,
    /// Of all of them, if somebody has asked; likewise below.
    pub(super) marks: OnceLock<u8>,
    pub(super) held: OnceLock<Held>,
}

impl<T> Default for Stretch<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            marks: OnceLock::new(),
            held: OnceLock::new(),
        }
    }
}

/// What is copied is about to change.
impl<T: Clone> Clone for Stretch<T> {
    fn clone(&self) -> Self {
        Self {
            items: self.items.clone(),
            ..Self::default()
        }
    }
}

/// The items of a stretch, which will not be the same.
pub(super) fn to_change<T: Clone>(stretch: &mut Arc<Stretch<T>>) -> &mut Vec<T> {
    let stretch = Arc::make_mut(stretch);
    (stretch.marks, stretch.held) = (OnceLock::new(), OnceLock::new());
    &mut stretch.items
}
